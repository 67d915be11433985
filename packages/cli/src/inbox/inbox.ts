import { rmSync } from 'node:fs'
import { signInsPath } from '@countersign/node'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { askService, existingHome, noService } from '../home/existing-home.ts'
import { openBrowser } from '../home/open-browser.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'

interface InboxFlags {
  /** Set by `--no-open`. */
  readonly open?: false
  readonly signOutAll?: true
}

/** `countersign inbox`: prints a link that signs in one browser, and opens it if there is a desktop. */
export const command: Subcommand = {
  name: 'inbox',
  summary: 'open the web inbox',
  define(command, io) {
    addExamples(command, [
      ['countersign inbox', 'open the inbox and print a one-time link'],
      ['countersign inbox --no-open', 'only print the link'],
      ['countersign inbox --sign-out-all', 'sign out every browser'],
    ])
    command
      .option('--no-open', 'print the link without opening a browser')
      .option('--sign-out-all', 'sign out every browser instead')
      .action((flags: InboxFlags) => (flags.signOutAll ? signOutAll(io) : show(flags.open !== false, io)))
  },
}

async function show(open: boolean, io: Io): Promise<void> {
  const answer = await askService(io, { do: 'ticket' })
  if (answer === undefined || !('link' in answer)) throw noService()
  if (io.json) return printJson(io, answer)
  print(io, answer.link)
  say(
    io,
    'the link works once, within 30 s; to approve calls, a new browser also needs a code from `countersign approvers add`',
  )
  if (open && io.isTty.stdout) openBrowser('inbox', answer, existingHome(io), io)
}

async function signOutAll(io: Io): Promise<void> {
  const answer = await askService(io, { do: 'sign-out' })
  const signedOut = answer !== undefined && 'signedOut' in answer ? answer.signedOut : null
  if (answer === undefined) rmSync(signInsPath(existingHome(io)), { force: true }) // read by the next service
  if (io.json) return printJson(io, { signedOut })
  print(io, signedOut === null ? 'signed out every browser' : `signed out ${browsers(signedOut)}`)
}

/** A number of browsers, in words. */
export function browsers(count: number): string {
  return count === 1 ? '1 browser' : `${count} browsers`
}
