/** Nanoseconds of the clock that all processes of a machine share. */
export function machineNow(): number {
  return Number(process.hrtime.bigint())
}
