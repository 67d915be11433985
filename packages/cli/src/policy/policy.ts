import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CountersignError, policyJsonSchema, safeText } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, say } from '../terminal/io.ts'
import { defineChanges } from './change.ts'
import { defineExplain } from './explain.ts'
import { defineImport } from './import.ts'
import { defineLint } from './lint.ts'
import { defineTest } from './test.ts'

/** `countersign policy`: checks, explains, tests and changes the policy. */
export const command: Subcommand = {
  name: 'policy',
  summary: 'check, explain, test and change the policy',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign policy lint', 'check your policy files'],
      ['countersign policy explain -- git push --force', 'what would happen to a call, and why'],
    ])
    defineLint(nested(command, 'lint', 'check policy files; exits with 1 if one is invalid'), io)
    defineExplain(nested(command, 'explain', 'show which rules apply to a call'), io)
    defineTest(nested(command, 'test', 'run the `tests:` of policy files; exits with 1 if one fails'), io)
    defineImport(nested(command, 'import', 'turn the rules of another product into a policy'), io)
    defineChanges(command, io)
    defineSchema(nested(command, 'schema', 'print the JSON Schema of policy files'), io)
  },
}

function defineSchema(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy schema --out policy.schema.json', 'for completion and checks in your editor'],
  ])
  command
    .option('--out <file>', 'write to a file instead of stdout')
    .action(async ({ out }: { readonly out?: string }) => {
      const text = JSON.stringify(policyJsonSchema(), null, 2)
      if (out === undefined) return print(io, text)
      await writeFile(resolve(io.cwd, out), `${text}\n`).catch((error: unknown) => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
        throw new CountersignError('CS_USAGE', `\`${safeText(out)}\` cannot be written (${code}); name another file`, {
          cause: error,
        })
      })
      say(io, `add this as the first line of your policy: # yaml-language-server: $schema=${safeText(out)}`)
    })
}
