const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A size in words people use: `12 KB`. */
export function sizeWords(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024
    unit += 1
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${UNITS[unit]}`
}

/** A count with its noun: `1 file`, `3 files`. */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
