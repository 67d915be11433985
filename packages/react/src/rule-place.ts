import type { RuleRef } from '@countersign/core'

/** Where a rule is written: file and line; one of a preset, or built in, stands in no file that one could open. */
export function rulePlace({ file, line, layer }: Omit<RuleRef, 'id'>): string {
  if (layer === 'builtin') return 'built in'
  return layer === 'preset' ? `the ${file.replace(/^preset:|\.ya?ml$/g, '')} preset` : `${file}:${line}`
}
