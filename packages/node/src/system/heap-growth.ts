import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8's heap small, for a process that holds thousands of calls and mostly waits. By default the space for new
 * objects grows by about 100 MB that are never returned, and old held calls stay in it until the heap is several times
 * larger than needed. Call it before the gate is opened.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
