import { createHash } from 'node:crypto'
import type { FrozenCall } from '../../../packages/core/src/call/call.ts'
import { freezeCall } from '../../../packages/core/src/call/freeze/freeze-call.ts'
import type { TargetFacts, Targets, TargetTree } from '../../../packages/core/src/ports/targets.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') }

/** A frozen call in the folder `/w`. */
export function frozenCall(tool: string, args: object, server?: string): FrozenCall {
  const ref = server === undefined ? tool : { name: tool, server }
  return freezeCall({ tool: ref, args }, { crypto, session: null, cwd: '/w', newId: () => 'id' })
}

/** A file's text, or facts about something that is not text. */
export type MemoryFile = string | (Partial<TargetFacts> & { readonly tree?: Partial<TargetTree> })

/** An in-memory file system by path. */
export function memoryTargets(files: { readonly [path: string]: MemoryFile }): Targets {
  const factsOf = (path: string): TargetFacts => {
    const found = files[path]
    if (found === undefined) return { type: 'absent', bytes: 0, mode: 0 }
    if (typeof found === 'string') return { type: 'file', bytes: Buffer.byteLength(found), mode: 0o644 }
    const { tree: _, ...facts } = found
    return { type: 'file', bytes: 0, mode: 0o644, ...facts }
  }
  return {
    resolve: async (path) => path,
    program: async () => undefined,
    look: async (path) => {
      const { type } = factsOf(path)
      return { given: path, real: path, type: type === 'link' ? 'other' : type, content: 'unbound' }
    },
    readText: async (path) => {
      const found = files[path]
      return typeof found === 'string' ? found : undefined
    },
    readEntry: async (path) => {
      const found = files[path]
      const { type, bytes } = factsOf(path)
      if (type !== 'file') return { type }
      return typeof found === 'string' ? { type, bytes, text: found } : { type, bytes }
    },
    facts: async (path) => factsOf(path),
    list: () => [],
    tree: async (path) => {
      const found = files[path]
      const tree = typeof found === 'object' ? found.tree : undefined
      return { files: 0, folders: 0, bytes: 0, listed: [], unread: 0, complete: true, ...tree }
    },
  }
}
