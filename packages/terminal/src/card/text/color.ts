import type { RiskLevel } from '@countersign/core'

/** Text styles. Never the only carrier of information. */
export const STYLES = {
  bold: 1,
  dim: 2,
  invert: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const

export type Style = keyof typeof STYLES

/** Applies styles to text that is already safe. */
export type Paint = (text: string, ...styles: readonly Style[]) => string

export function createPaint(color: boolean): Paint {
  if (!color) return (text) => text
  return (text, ...styles) =>
    text === '' || styles.length === 0 ? text : `\x1b[${styles.map((style) => STYLES[style]).join(';')}m${text}\x1b[0m`
}

/** The style of each risk level. */
export const RISK_STYLE: Readonly<Record<RiskLevel, readonly Style[]>> = {
  none: ['dim'],
  low: ['green'],
  medium: ['yellow'],
  high: ['red', 'bold'],
  critical: ['red', 'bold', 'invert'],
}
