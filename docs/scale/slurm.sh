#!/bin/sh
# A class graded as a Slurm array: seven tasks, and one that joins their results.
#
#     id=$(sbatch --parsable docs/scale/slurm.sh)
#     sbatch --dependency=afterok:"$id" --array=0 docs/scale/slurm.sh
#
# Submit it from the root of the workbook, after `go build -o bin/checker ./checker`.
#SBATCH --job-name=controllerbook
#SBATCH --array=1-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=06:00:00
set -eu
cd "${SLURM_SUBMIT_DIR:-.}"
shards=7 # as in --array

if [ "$SLURM_ARRAY_TASK_ID" = 0 ]; then
  set --
  for k in $(seq "$shards"); do set -- "$@" "results/shard-$k"; done
  exec bin/checker merge results/class "$@"
fi
exec bin/checker grade submissions --out "results/shard-$SLURM_ARRAY_TASK_ID" \
  --shard "$SLURM_ARRAY_TASK_ID/$shards" --roster submissions/class.csv --lab 1 -j "${SLURM_CPUS_PER_TASK:-2}"
