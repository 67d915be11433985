/** Minutes and seconds as a clock shows them: `4:07`. */
export function minuteText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
