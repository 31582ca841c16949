package reflector

// One watch after the other, and the resync beside them, are the larger half of a
// reflector. This file is for them; nothing in it is prescribed.
