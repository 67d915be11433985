import { userInfo } from 'node:os'
import { CountersignError, type GivenGrant, type Grants, safeText } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { idOf, shortId } from '../arguments/ids.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { withDesk } from '../decision/desk.ts'
import { sayPaused } from '../decision/say-paused.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'
import { lifetimeWords, scopeWords } from './grant-words.ts'

/** `countersign grants`: lists and revokes grants. */
export const command: Subcommand = {
  name: 'grants',
  summary: 'list and revoke grants',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign grants list', 'calls that can run without asking'],
      ['countersign grants revoke 3f2a91c0', 'revoke one'],
      ['countersign grants revoke --all', 'revoke all of them'],
    ])
    const listing = nested(command, 'list', 'list active grants')
    addExamples(listing, [
      ['countersign grants list', 'active grants, and how often each was used'],
      ['countersign grants list --json', 'as JSON'],
    ])
    listing.action(() =>
      withDesk(io, async (desk) => {
        await sayPaused(desk, io)
        list(await desk.grants().list(), io)
      }),
    )
    const revoking = nested(command, 'revoke', 'revoke a grant at once')
    addExamples(revoking, [
      ['countersign grants revoke 3f2a91c0', 'revoke one'],
      ['countersign grants revoke --all', 'revoke all of them'],
    ])
    revoking
      .argument('[id]', 'id of the grant, or the start of it')
      .option('--all', 'revoke every grant')
      .action((id: string | undefined, flags: { readonly all?: true }) =>
        withDesk(io, (desk) => revoke(desk.grants(), id, flags.all === true, io)),
      )
  },
}

const INDENT = ' '.repeat(10)

function list(grants: readonly GivenGrant[], io: Io): void {
  if (io.json) {
    printJson(io, grants)
    return
  }
  if (grants.length === 0) {
    say(io, 'no active grants')
    return
  }
  for (const grant of grants) {
    const given = safeText(`given by ${grant.givenBy} to ${grant.agent.join(' › ')}`)
    print(io, `${shortId(grant.id)}  ${lifetimeWords(grant)}, used ${grant.uses}×, ${given}`)
    // The scope is never shortened.
    for (const row of hangText(scopeWords(grant), dataColumns(io) - INDENT.length, 2)) print(io, `${INDENT}${row}`)
  }
}

async function revoke(grants: Grants, typed: string | undefined, all: boolean, io: Io): Promise<void> {
  if ((typed === undefined) === !all)
    throw new CountersignError('CS_USAGE', 'name a grant, or use `--all`; list them with `countersign grants list`')
  const living = (await grants.list()).map(({ id }) => id)
  const words = { what: 'active grant', list: 'countersign grants list', code: 'CS_GRANT_UNKNOWN' } as const
  const ids = typed === undefined ? living : [idOf(typed, living, words)]
  for (const id of ids) await grants.revoke(id, userInfo().username)
  if (io.json) return printJson(io, { revoked: ids })
  for (const id of ids) print(io, `revoked ${shortId(id)}`)
  if (ids.length === 0) say(io, 'no active grants; nothing to revoke')
}
