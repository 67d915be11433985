import { countWords } from '@countersign/core'
import type { Task } from './task.ts'

/** The bounds as the model is told of them. They hold whatever it makes of these words. */
export function boundsText({ mode, tools, commands, uncounted, hosts, paths, limits }: Task): string {
  const lines = ['Nobody is watching this run. Its bounds:']
  if (mode === 'read-only')
    lines.push('- read-only: nothing may be changed, and only tools and commands that surely read may run')
  else {
    lines.push(
      `- at most ${countWords(limits.files, 'file')} and ${countWords(limits.lines, 'line')} may be changed in all`,
    )
    if (paths.allow !== null) lines.push(`- only these may be changed: ${paths.allow.join(', ')}`)
    if (paths.deny.length > 0) lines.push(`- these may never be changed: ${paths.deny.join(', ')}`)
    if (uncounted.length > 0)
      lines.push(`- these may run although nothing counts their changes: ${uncounted.join(', ')}`)
    lines.push(
      commands.length === 0
        ? '- only commands that surely read may run; change files with the tools'
        : `- besides commands that surely read, only these lines may run: ${commands.map((line) => `\`${line}\``).join(', ')}`,
    )
  }
  if (hosts !== null) lines.push(`- only these hosts may be fetched from: ${hosts.join(', ')}`)
  if (tools !== null) lines.push(`- only these tools may be used: ${tools.join(', ')}`)
  return lines.join('\n')
}
