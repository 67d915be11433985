import { CountersignError, parseEntry, readOwnPreview, safeText } from '@countersign/core'
import {
  type BackupRef,
  backupOfCall,
  backupsSince,
  listBackups,
  pathFrom,
  planHash,
  planUndo,
  type UndoPlan,
  undoPreview,
} from '@countersign/node'
import { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { askUndo } from './undo-change.ts'

/** INVARIANT: L10, so many calls are named, and so many steps listed. */
const MOST_CALLS = 500
const MOST_STEPS = 1_000

const call = z.string().min(1).max(128)
const calls = z.array(call).min(1).max(MOST_CALLS)

const Undoable = z
  .object({ calls: z.array(z.object({ call, madeAt: z.number(), files: z.number(), bytes: z.number() })) })
  .openapi('Undoable', { description: 'Calls with a copy of what they changed, newest first.' })

const PlanAsked = z
  .strictObject({ calls: calls.optional(), since: call.optional() })
  .openapi('UndoPlanAsked', { description: 'Calls, or a call and everything after it in its workspace.' })

const Planned = z
  .object({
    calls: z.array(call),
    plan: z.string(),
    steps: z.array(
      z.looseObject({ path: z.string(), name: z.string(), does: z.string(), type: z.string(), since: z.string() }),
    ),
    more: z.number(),
    left: z.array(z.string()),
    preview: z.looseObject({ kind: z.literal('own') }),
  })
  .openapi('UndoPlan', { description: 'What an undo brings back, as a diff for each file, and a hash of it.' })

const UndoAsked = z
  .strictObject({
    calls,
    plan: z.string().max(128),
    only: z.array(z.string().max(4_096)).max(MOST_STEPS).optional(),
    force: z.boolean().optional(),
  })
  .openapi('UndoCallsAsked', { description: 'The calls with the hash of the plan that was shown.' })

const Held = z.object({ call: z.string() }).openapi('UndoCallsHeld', { description: 'The held call that restores it.' })

/** Undoing the file changes of past calls: listed, shown as diffs, and asked for as one held call. */
export function addUndoRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { home, main } = parts
  const { desk, ports } = main

  /** SECURITY: only a workspace of the store, which the gate of that workspace judges. */
  async function workspaceOf(id: string): Promise<string> {
    const { entries } = await ports.store.outlineOf(id, 20)
    const judged = entries.flatMap(({ line }) => parseEntry(line) ?? []).find(({ kind }) => kind === 'judged')
    const workspace = judged?.['workspace'] ?? judged?.['cwd']
    const known = await desk.changes().workspaces()
    if (typeof workspace === 'string' && known.includes(workspace)) return workspace
    throw new CountersignError(
      'CS_USAGE',
      `the workspace of \`${safeText(id)}\` is not known; use \`countersign undo\``,
    )
  }

  async function refsOf(ids: readonly string[]): Promise<readonly BackupRef[]> {
    return Promise.all([...new Set(ids)].map((id) => backupOfCall(id, home, ports.store)))
  }

  async function chosen(asked: z.infer<typeof PlanAsked>): Promise<readonly BackupRef[]> {
    if (asked.calls !== undefined && asked.since === undefined) return refsOf(asked.calls)
    const first = listBackups(home).findLast((one) => one.call === asked.since)
    if (asked.since === undefined || asked.calls !== undefined || first === undefined)
      throw new CountersignError('CS_USAGE', 'name calls, or one call with a copy; list them again')
    return (await backupsSince(first.madeAt, await workspaceOf(asked.since), home, ports.store)).refs
  }

  async function shown(plan: UndoPlan): Promise<z.infer<typeof Planned>> {
    const workspace = await workspaceOf(plan.calls.at(-1) ?? '')
    const preview = readOwnPreview(await undoPreview(plan, home, workspace))
    const steps = plan.steps.slice(0, MOST_STEPS).map(({ path, does, type, since }) => {
      return { path, name: pathFrom(workspace, path), does, type, since }
    })
    const left = plan.left.slice(0, MOST_STEPS)
    const more = plan.steps.length - steps.length
    return { calls: [...plan.calls], plan: planHash(plan, ports.crypto), steps, more, left, preview }
  }

  defineRoute(
    app,
    { method: 'get', path: '/undo', summary: 'Calls that can be undone, newest first', answer: Undoable },
    async (c) => {
      const known = new Map(listBackups(home, MOST_CALLS).map((one) => [one.call, one]))
      return c.json({
        calls: [...known.values()].map(({ call: id, madeAt, files, bytes }) => ({ call: id, madeAt, files, bytes })),
      })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/undo/plan',
      summary: 'What undoing calls would bring back; nothing changes',
      body: PlanAsked,
      answer: Planned,
    },
    async (c, { body }) => c.json(await shown(await planUndo(home, await chosen(body)))),
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/undo',
      summary: 'Ask to undo calls as shown: a held call that needs a signed decision',
      body: UndoAsked,
      answer: Held,
    },
    async (c, { body }) => {
      const refs = await refsOf(body.calls)
      const plan = await planUndo(home, refs)
      if (planHash(plan, ports.crypto) !== body.plan)
        throw new CountersignError('CS_STALE', 'the files changed since the diff was shown; review it again')
      const workspace = await workspaceOf(plan.calls.at(-1) ?? '')
      const { only } = body
      const picked = only === undefined ? refs : refs.map((ref) => ({ ...ref, only }))
      const to = only === undefined ? plan : await planUndo(home, picked)
      return c.json({ call: await askUndo(to, picked, { workspace, isForced: body.force === true }, parts) })
    },
  )
}
