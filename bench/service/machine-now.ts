/** Nanoseconds of the machine-wide clock. */
export function machineNow(): number {
  return Number(process.hrtime.bigint())
}
