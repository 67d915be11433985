import { CountersignError, safeText } from '@countersign/core'

/** A positive whole number from the command line. */
export function wholeNumber(flag: string, text: string, most = 1_000_000_000): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new CountersignError('CS_USAGE', `${flag} needs a number from 1 to ${most}; \`${safeText(text)}\` is none`)
}
