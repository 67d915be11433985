import { isPatch } from '../../call/arguments/patch-paths.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { CONTENT } from './content-arguments.ts'
import { type PatchPiece, patchPieces } from './patch-parser.ts'

/**
 * The files of the patch a call carries; none when it carries none. SECURITY: A8 a patch is drawn as one only where the
 * call was judged by the very same files.
 */
export function patchOf(call: FrozenCall): readonly PatchPiece[] {
  const name = patchName(call)
  const text = name === undefined ? undefined : call.args[name]
  const pieces = typeof text === 'string' ? patchPieces(text) : []
  const paths = call.descriptor.paths ?? []
  return pieces.flatMap(touchedBy).every((path) => paths.includes(path)) ? pieces : []
}

/** The paths that one piece of a patch changes. */
export function touchedBy({ path, from }: PatchPiece): readonly string[] {
  return from === undefined ? [path] : [from, path]
}

/** The argument that holds the patch; not one that is the content of a file the call names by itself. */
export function patchName({ args, descriptor }: FrozenCall): string | undefined {
  const names = Object.keys(args).filter((name) => isPatchText(args, name))
  const writes = Object.values(args).some((value) => typeof value === 'string' && descriptor.paths?.includes(value))
  return names.find((one) => !writes || !CONTENT.includes(one))
}

function isPatchText(args: JsonObject, name: string): boolean {
  const value = args[name]
  return typeof value === 'string' && isPatch(value)
}
