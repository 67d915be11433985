import { CountersignError } from '@countersign/core'
import { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { askUndoChange } from './undo-change.ts'

/** INVARIANT: L10, so many workspaces and files of each are listed. */
const MOST_WORKSPACES = 50
const MOST_FILES = 1_000

const workspace = z.string().max(4_096)
const path = z.string().min(1).max(4_096)

const ChangeList = z
  .object({
    workspaces: z.array(
      z.object({
        workspace: z.string(),
        everything: z.string().nullable(),
        files: z.array(
          z.looseObject({
            path: z.string(),
            kind: z.string(),
            content: z.string(),
            agent: z.string(),
            call: z.string(),
          }),
        ),
        more: z.number(),
      }),
    ),
  })
  .openapi('ChangeList', { description: 'Changes of files that no person has seen, by workspace.' })

const ChangeDiff = z
  .object({ diff: z.looseObject({ path: z.string(), content: z.string() }).nullable() })
  .openapi('ChangeDiff', {
    description: 'One file, compared with what was seen last; null if it has no unseen change.',
  })

const SeenAsked = z
  .strictObject({
    workspace,
    files: z
      .array(z.strictObject({ path, content: z.string().max(4_200) }))
      .max(MOST_FILES)
      .optional(),
    all: z.literal(true).optional(),
  })
  .openapi('SeenAsked', { description: 'Files with the content that was shown, or `all` as it is now.' })

const UndoAsked = z
  .strictObject({ workspace, path, content: z.string().max(4_200) })
  .openapi('UndoAsked', { description: 'A file with the content that was shown.' })

const UndoHeld = z.object({ call: z.string() }).openapi('UndoHeld', { description: 'The held call that restores it.' })

const Marked = z.object({ seen: z.number() }).openapi('Marked')

/** Changes of files that nobody has seen: listed, shown, marked and undone. */
export function addChangeRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { main, board, feed } = parts
  const { desk } = main

  /** SECURITY: only workspaces of the store: a page can't read files of other folders. */
  async function known(asked: string): Promise<string> {
    if ((await desk.changes().workspaces()).includes(asked)) return asked
    throw new CountersignError('CS_USAGE', 'no gated call changed files of that workspace; list the changes again')
  }

  defineRoute(
    app,
    { method: 'get', path: '/changes', summary: 'Changes of files that nobody has seen', answer: ChangeList },
    async (c) => {
      const workspaces = []
      for (const one of (await desk.changes().workspaces()).slice(0, MOST_WORKSPACES)) {
        const { everything, files } = await desk
          .changes()
          .list(one)
          .catch(() => ({ everything: 'it can’t be read', files: [] }))
        if (everything === null && files.length === 0) continue
        const more = Math.max(0, files.length - MOST_FILES)
        workspaces.push({ workspace: one, everything, files: files.slice(0, MOST_FILES), more })
      }
      return c.json({ workspaces })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/changes/diff',
      summary: 'What changed in a file since a person last saw it',
      query: z.strictObject({ workspace, path }),
      answer: ChangeDiff,
    },
    async (c, { query }) => {
      const diff = await desk.changes().diff(await known(query.workspace), query.path)
      return c.json({ diff: diff ?? null })
    },
  )

  defineRoute(
    app,
    { method: 'post', path: '/changes/seen', summary: 'Mark changes as seen', body: SeenAsked, answer: Marked },
    async (c, { body }) => {
      const by = (await board.nameOf(c.get('signedIn').approver)) ?? 'inbox'
      const at = await known(body.workspace)
      const seen =
        body.all === true ? await desk.changes().allSeen(at, by) : await desk.changes().seen(at, body.files ?? [], by)
      feed.wake()
      return c.json({ seen })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/changes/undo',
      summary: 'Ask to restore what a person saw last of a file: a held call that needs a signed decision',
      body: UndoAsked,
      answer: UndoHeld,
    },
    async (c, { body }) =>
      c.json({ call: await askUndoChange({ ...body, workspace: await known(body.workspace) }, parts) }),
  )
}
