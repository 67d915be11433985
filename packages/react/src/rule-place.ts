import type { RuleRef } from '@countersign/core'

const PRESET = 'preset:'

/** Where a rule is written: file and line; those of a preset stand in no file that one could open. */
export function rulePlace({ file, line }: Pick<RuleRef, 'file' | 'line'>): string {
  return file.startsWith(PRESET) ? `the ${file.slice(PRESET.length)} preset` : `${file}:${line}`
}
