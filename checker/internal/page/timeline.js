// Steps through a timeline, one beginning or return at a time.
for (const figure of document.querySelectorAll("figure.timeline")) {
  const marks = [...figure.querySelectorAll("g.mark")].map((g) => ({ g, from: +g.dataset.from, to: +g.dataset.to, end: g.dataset.end, title: g.querySelector("title").textContent }));
  const places = [...new Set(marks.flatMap((m) => [m.from, m.to]))].sort((a, b) => a - b);
  if (places.length < 3) continue;
  let at = -1, timer = 0;
  const bar = document.createElement("div"), words = document.createElement("output");
  bar.className = "steps";
  const show = (n) => {
    at = Math.min(Math.max(n, -1), places.length - 1);
    const now = places[at];
    for (const m of marks) {
      m.g.classList.toggle("later", at >= 0 && m.from > now);
      m.g.classList.toggle("now", at >= 0 && (m.from === now || m.to === now));
    }
    if (at < 0) return words.textContent = "";
    const begun = marks.find((m) => m.from === now), here = begun || marks.findLast((m) => m.to === now);
    const what = begun ? begun.title : here.end + here.title.slice(here.title.indexOf(" · ")).replace(" · ", " · returned: ");
    words.textContent = `${at + 1} of ${places.length} · ${what}`;
    here.g.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const button = (text, act) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", act);
    bar.append(b);
    return b;
  };
  button("Previous", () => { stop(); show(at - 1); });
  button("Next", () => { stop(); show(at + 1); });
  const play = button("Play", () => {
    if (timer) return stop();
    play.textContent = "Pause";
    show(at + 1 < places.length ? at + 1 : 0);
    timer = setInterval(() => { show(at + 1); if (at + 1 >= places.length) stop(); }, 900);
  });
  button("Show all", () => { stop(); show(-1); });
  bar.append(words);
  figure.querySelector(".scroll").before(bar);
}
