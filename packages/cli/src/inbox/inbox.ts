import { rmSync } from 'node:fs'
import { signInsPath } from '@countersign/node'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { askService, existingHome, noService } from '../home/existing-home.ts'
import { refuseInside } from '../home/nested-call-guard.ts'
import { openBrowser } from '../home/open-browser.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'

interface InboxFlags {
  /** Absent unless `--no-open` was given. */
  readonly open?: false
  readonly signOutAll?: true
}

/** `countersign inbox`: a link that signs one browser in, opened where there is a desktop. */
export const command: Subcommand = {
  name: 'inbox',
  summary: 'open the web inbox of the running service',
  define(command, io) {
    addExamples(command, [
      ['countersign inbox', 'opens the inbox and prints its one-time link'],
      ['countersign inbox --no-open', 'only prints the link, to open it elsewhere'],
      ['countersign inbox --sign-out-all', 'no browser is signed in any more'],
    ])
    command
      .option('--no-open', 'open no browser')
      .option('--sign-out-all', 'end every sign-in instead, of every browser')
      .action((flags: InboxFlags) => (flags.signOutAll ? signOutAll(io) : show(flags.open !== false, io)))
  },
}

async function show(open: boolean, io: Io): Promise<void> {
  refuseInside(io)
  const answer = await askService(io, { do: 'ticket' })
  if (answer === undefined || !('link' in answer)) throw noService()
  if (io.json) return printJson(io, answer)
  print(io, answer.link)
  say(io, 'it works once, within 30 s; a new browser also needs `countersign approvers add` before it can decide')
  if (open && io.isTty.stdout) openBrowser('inbox', answer, existingHome(io), io)
}

async function signOutAll(io: Io): Promise<void> {
  refuseInside(io)
  const answer = await askService(io, { do: 'sign-out' })
  const signedOut = answer !== undefined && 'signedOut' in answer ? answer.signedOut : null
  if (answer === undefined) rmSync(signInsPath(existingHome(io)), { force: true }) // read by the next service
  if (io.json) return printJson(io, { signedOut })
  print(io, signedOut === null ? 'every browser is signed out' : `signed out ${browsers(signedOut)}`)
}

/** So many browsers, in words. */
export function browsers(count: number): string {
  return count === 1 ? 'one browser' : `${count} browsers`
}
