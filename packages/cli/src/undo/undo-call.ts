import { type Call, CountersignError, canonicalJson, countWords, type JsonObject } from '@countersign/core'
import type { BackupRef, OpenedGate, UndoPlan } from '@countersign/node'
import { stepWords } from './plan-lines.ts'

/** A call names so many steps; the person who undoes was shown them, and how many more there are. */
const MOST_NAMED = 1_000

/** The undoing as a call like any other: judged, held where policy says so, recorded, and with a copy of its own. */
export function undoCall(
  plan: UndoPlan,
  ref: BackupRef,
  opened: OpenedGate,
): { readonly call: Call & { readonly id: string }; readonly args: JsonObject } {
  const args = argsOf(plan, ref, opened)
  const isDelete = plan.steps.some(({ does }) => does === 'remove')
  const call = {
    id: opened.ports.crypto.randomId(),
    tool: 'undo',
    source: 'builtin',
    args,
    cwd: opened.places.workspace,
    description: { kind: isDelete ? 'delete' : 'write', paths: plan.targets },
    preview: () => plan.steps.map(stepWords),
    requiresConfirmation: true,
  } as const
  return { call, args }
}

/** What was changed after the call is a person's work: it is undone only where they say so. */
export function refuseChanged({ steps }: UndoPlan, isForced: boolean): void {
  const later = steps.find(({ since }) => since !== 'same')
  if (later === undefined || isForced) return
  const how = later.since === 'changed' ? 'was changed again after the call' : 'may have been changed after the call'
  throw new CountersignError('CS_STALE', `\`${later.path}\` ${how}; look at it, then add \`--force\` to undo that too`)
}

/** A long plan is bound by its hash, so that a large tree still fits into a call. */
function argsOf({ call, steps }: UndoPlan, { name, manifest }: BackupRef, { ports }: OpenedGate): JsonObject {
  const words = steps.map(stepWords)
  const more = words.length - MOST_NAMED
  const rest = more > 0 ? { more: countWords(more, 'more step'), plan: ports.crypto.sha256(canonicalJson(words)) } : {}
  return { call, copy: name, manifest, steps: words.slice(0, MOST_NAMED), ...rest }
}
