import { CountersignError } from '../../errors.ts'
import { gateEntry } from '../../journal/entry.ts'
import { gatherUnseen } from '../../policy/evaluate/unseen-changes.ts'
import type { UnseenChange, UnseenChanges } from '../../policy/model/circumstances.ts'
import { unseenFile } from '../../preview/kinds/unseen.ts'
import type { UnseenFilePreview } from '../../preview/model/preview.ts'
import type { GateContext } from '../context/gate-context.ts'

/** So many names of files are in an entry of the journal. */
const MOST_NAMED = 100

/** A file, and the content of it that a person saw. */
export interface SeenContent {
  readonly path: string
  readonly content: string
}

/** Changes of files by gated calls that no person has seen. */
export interface Changes {
  /** Workspaces in which gated calls changed files. */
  workspaces(): Promise<readonly string[]>
  list(workspace: string): Promise<UnseenChanges>
  /** One of them, compared with what was seen last; undefined if the file has no unseen change. */
  diff(workspace: string, path: string): Promise<UnseenFilePreview | undefined>
  /** Marks contents as seen. Throws CS_STALE if a file has another content by now. Returns how many. */
  seen(workspace: string, contents: readonly SeenContent[], by: string): Promise<number>
  /** Marks everything as seen, as it is now. */
  allSeen(workspace: string, by: string): Promise<number>
}

export function createChanges({ ports, commit }: Pick<GateContext, 'ports' | 'commit'>): Changes {
  const list = (workspace: string): Promise<UnseenChanges> => gatherUnseen(workspace, ports)

  async function mark(workspace: string, files: readonly UnseenChange[], by: string, all: boolean): Promise<number> {
    const at = ports.clock.now()
    const until = files.find(({ content }) => content.startsWith('until:'))?.content.slice('until:'.length)
    const named = files.slice(0, MOST_NAMED).map(({ path, content }) => [path, content])
    await commit({
      entries: [gateEntry('changes-seen', at, { workspace, by, count: files.length, files: named, everything: all })],
      seen: {
        workspace,
        files: files.filter(({ path }) => !path.endsWith('/')),
        call: '',
        at,
        ...(until === undefined ? {} : { installedUntil: Number(until) }),
        ...(all ? { everything: true } : {}),
      },
      durable: true,
    })
    return files.length
  }

  return {
    workspaces: () => ports.store.changedWorkspaces(),
    list,
    async diff(workspace, path) {
      const found = (await list(workspace)).files.find((file) => file.path === path)
      return found === undefined ? undefined : unseenFile(found, workspace, ports)
    },
    async seen(workspace, contents, by) {
      const { files } = await list(workspace)
      const marked = contents.map(({ path, content }) => {
        const found = files.find((file) => file.path === path)
        // INVARIANT: L5, only the content that was shown counts as seen.
        if (found?.content === content) return found
        const what = found === undefined ? 'has no unseen change' : 'changed after it was shown'
        throw new CountersignError('CS_STALE', `\`${path}\` ${what}; list the changes again`)
      })
      return mark(workspace, marked, by, false)
    },
    async allSeen(workspace, by) {
      return mark(workspace, (await list(workspace)).files, by, true)
    },
  }
}
