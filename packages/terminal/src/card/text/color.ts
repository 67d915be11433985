import type { RiskLevel } from '@countersign/core'

/** The styles of our lines; each leaves the text alone when there are no colours. Never the only sign of anything. */
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

/** Puts text that is safe already into a style. */
export type Paint = (text: string, ...styles: readonly Style[]) => string

export function createPaint(color: boolean): Paint {
  if (!color) return (text) => text
  return (text, ...styles) =>
    text === '' || styles.length === 0 ? text : `\x1b[${styles.map((style) => STYLES[style]).join(';')}m${text}\x1b[0m`
}

/** The colour of each level; word and glyph say the same. */
export const RISK_STYLE: Readonly<Record<RiskLevel, readonly Style[]>> = {
  none: ['dim'],
  low: ['green'],
  medium: ['yellow'],
  high: ['red', 'bold'],
  critical: ['red', 'bold', 'invert'],
}

export const RISK_GLYPH: Readonly<Record<RiskLevel, string>> = {
  none: '·',
  low: '▪',
  medium: '▲',
  high: '▲▲',
  critical: '■■■',
}
