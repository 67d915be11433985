import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CountersignError, policyJsonSchema, safeText } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { type Io, print, say } from '../terminal/io.ts'

export function defineSchema(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy schema --out policy.schema.json', 'then editors complete and check your policy'],
  ])
  command
    .option('--out <file>', 'write it to a file instead of stdout')
    .action(async ({ out }: { readonly out?: string }) => {
      const text = JSON.stringify(policyJsonSchema(), null, 2)
      if (out === undefined) return print(io, text)
      await writeFile(resolve(io.cwd, out), `${text}\n`).catch((error: unknown) => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
        throw new CountersignError('CS_USAGE', `\`${safeText(out)}\` cannot be written (${code}); name another file`, {
          cause: error,
        })
      })
      say(io, `put this first in your policy: # yaml-language-server: $schema=${safeText(out)}`)
    })
}
