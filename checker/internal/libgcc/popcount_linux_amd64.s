//go:build race

#include "textflag.h"

// int __popcountdi2(int64_t x) counts the bits of x that are set, by C's calling convention:
// x is in DI, the count goes to AX. It adds neighbours: bits, then pairs, then fours; the
// multiplication adds up the bytes. POPCNT would do, and not every amd64 has it.
TEXT __popcountdi2(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ  DI, AX
	SHRQ  $1, AX
	MOVQ  $0x5555555555555555, CX
	ANDQ  CX, AX
	SUBQ  AX, DI
	MOVQ  $0x3333333333333333, CX
	MOVQ  DI, AX
	ANDQ  CX, AX
	SHRQ  $2, DI
	ANDQ  CX, DI
	ADDQ  DI, AX
	MOVQ  AX, DI
	SHRQ  $4, DI
	ADDQ  DI, AX
	MOVQ  $0x0f0f0f0f0f0f0f0f, CX
	ANDQ  CX, AX
	MOVQ  $0x0101010101010101, CX
	IMULQ CX, AX
	SHRQ  $56, AX
	RET

// func popcount(x uint64) int32
TEXT ·popcount(SB), NOSPLIT, $0-12
	MOVQ x+0(FP), DI
	CALL __popcountdi2(SB)
	MOVL AX, ret+8(FP)
	RET
