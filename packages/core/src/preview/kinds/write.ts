import type { FrozenCall } from '../../call/call.ts'
import type { Targets } from '../../ports/targets.ts'
import { diffWith } from '../edits/changed-file.ts'
import { isWholeText } from '../edits/text-change.ts'
import { guessNotes, type Preview } from '../model/preview.ts'
import { readCurrent } from '../targets/target-lookup.ts'
import { jsonPreview } from './arguments.ts'

/** The line diff of a write or an edit of one file; the arguments when it cannot be computed. */
export async function writePreview(call: FrozenCall, path: string, targets: Targets): Promise<Preview> {
  const now = await readCurrent(path, call.cwd, targets)
  if (now.kind === 'unseen') return { kind: 'failed', error: now.note, value: call.args }
  if (now.kind === 'folder') return jsonPreview(call, [`\`${path}\` is a folder`])
  if (now.kind === 'opaque' && !isWholeText(call.args)) return jsonPreview(call, [now.note])
  const made = diffWith(path, call.args, now)
  if (made === undefined) return jsonPreview(call)
  const link = await linkNotes(call, path, targets)
  return { ...made, notes: [...guessNotes(call), ...link, ...made.notes] }
}

/** SECURITY: A7, a write through a link changes another file than the one named. */
async function linkNotes(call: FrozenCall, path: string, targets: Targets): Promise<readonly string[]> {
  const { type } = await targets.facts(path, call.cwd)
  return type === 'link' ? [`\`${path}\` is a link: this changes \`${await targets.resolve(path, call.cwd)}\``] : []
}
