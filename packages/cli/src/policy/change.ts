import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, readTarget, rulesIn, SUPERVISIONS, type Supervision, safeText } from '@countersign/core'
import { timeText } from '@countersign/terminal/card'
import { type Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { shortId } from '../arguments/ids.ts'
import { withDesk } from '../decision/desk.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import type { ChangeFlags } from './apply-change.ts'

const MOST_CHANGE = 999_999_999

/** The subcommands of `policy` that change it. */
export function defineChanges(command: Command, io: Io): void {
  defineSet(nested(command, 'set', 'set how closely a tool, kind or command is supervised'), io)
  const adding = signing(nested(command, 'add', 'add the rules of a file, signed with your key'))
  addExamples(adding, [['countersign policy add rules.yaml', 'rules you have written or been sent']])
  adding
    .argument('<file>', 'policy file with `rules:`; - for stdin')
    .action(async (file: string, flags: ChangeFlags) => {
      const { changePolicy } = await import('./apply-change.ts')
      await changePolicy(
        { kind: 'add', rules: rulesIn(readText(file, io)), from: file === '-' ? 'stdin' : file },
        flags,
        io,
      )
    })
  const undoing = signing(nested(command, 'undo', 'undo a change that was made with `set` or `add`'))
  addExamples(undoing, [
    ['countersign policy undo', 'the last change'],
    ['countersign policy undo 3', 'the change with this number'],
  ])
  undoing
    .argument('[number]', 'number of the change, from `countersign policy changes`')
    .action(async (id: string | undefined, flags: ChangeFlags) => {
      const { changePolicy } = await import('./apply-change.ts')
      const seq = id === undefined ? null : wholeNumber('number', id, MOST_CHANGE)
      await changePolicy({ kind: 'undo', seq }, flags, io)
    })
  const sign = signing(nested(command, 'sign', 'review and sign the rules in the signed file again'))
  addExamples(sign, [['countersign policy sign', 'after the file was changed, or its signer removed']])
  sign.action(async (flags: ChangeFlags) => {
    const { changePolicy } = await import('./apply-change.ts')
    await changePolicy({ kind: 'sign' }, flags, io)
  })
  const listing = nested(command, 'changes', 'list signed changes of the policy')
  addExamples(listing, [['countersign policy changes', 'number, time, approver, and what changed']])
  listing.action(() => list(io))
}

function defineSet(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy set read_file automatic', 'never ask for a tool'],
    ['countersign policy set "git push" confirm', 'always ask for a command'],
    ['countersign policy set kind:delete manual', 'everything that deletes'],
    ['countersign policy set read_file default', 'remove the setting'],
  ])
  signing(command)
    .argument('<target>', 'a tool, a command, `kind:…`, `server:…`, `tool:…` or `command:…`')
    .argument('<supervision>', `${SUPERVISIONS.join(', ')}, or default`, readSupervision)
    .action(async (target: string, supervision: Supervision | 'default', flags: ChangeFlags) => {
      const { changePolicy } = await import('./apply-change.ts')
      await changePolicy({ kind: 'set', conditions: readTarget(target, () => false), supervision }, flags, io)
    })
}

function signing(command: Command): Command {
  return command
    .option('--reason <text>', 'your reason; required to loosen manual supervision')
    .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this file descriptor')
}

function readSupervision(text: string): Supervision | 'default' {
  const found = [...SUPERVISIONS, 'default' as const].find((one) => one === text)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`Allowed choices are ${SUPERVISIONS.join(', ')}, default.`)
}

function readText(file: string, io: Io): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new CountersignError('CS_POLICY_READ', `\`${safeText(file)}\` cannot be read; check the path`, {
      cause: error,
    })
  }
}

function list(io: Io): Promise<void> {
  return withDesk(io, async (desk, { ports }) => {
    const signed = await desk.rules().changes()
    const changes = await Promise.all(
      signed.map(async ({ seq, act, what, call, undoes, approver, surface, at }) => {
        const by = (await ports.approvers.find(approver))?.name ?? null
        return { seq, act, what, call, undoes, approver, by, surface, at }
      }),
    )
    if (io.json) return printJson(io, changes)
    if (changes.length === 0) return say(io, 'no signed changes')
    const rows = changes.map(({ seq, what, by, approver, surface, at }) =>
      [String(seq), timeText(at), `${by ?? `a removed key (${shortId(approver)})`}, ${surface}`, what].map(safeText),
    )
    const heading = ['change', 'when', 'who', 'what'].map(safeText)
    for (const line of layTable([heading, ...rows], dataColumns(io))) print(io, line)
  })
}
