import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Place } from './place.ts'

/** Caches and histories that everyday programs keep in a home. */
const OWN_TRACES =
  /^\.(npm|cache|viminfo|lesshst|wget-hsts|sqlite_history|python_history|java|gnupg|local|rustup|gradle)(\/|$)/
/** Names in a workspace that other programs run or obey by themselves. */
const RUN_BY_OTHERS =
  /(^|\/)(\.git\/(hooks|config|info|modules)|\.(vscode|idea|zed|husky|claude|cursor|codex|gemini|qwen|countersign|github|devcontainer|circleci)|\.(envrc|npmrc|mcp\.json|gitlab-ci\.yml|gitmodules|gitattributes|pre-commit-config\.yaml|gdbinit|exrc|bashrc|mise\.toml|tool-versions)|(CLAUDE|AGENTS|GEMINI)\.md|lefthook\.yml|crush\.json|\.cargo\/config\.toml)(\/|$)/
/** What the gate itself writes while it works. */
const GATE_TRACES =
  /^(store|journal|backups|heads|checkpoints|run|lock|tmp|contain|caches?|parsed(?:$|\/[0-9a-f]{64}$))/

/** A fingerprint of every file of a folder, by its path. */
export type Tree = ReadonlyMap<string, string>

export function treeOf(folder: string, isWanted: (path: string) => boolean = () => true): Tree {
  const tree = new Map<string, string>()
  const walk = (at: string): void => {
    for (const name of existsSync(join(folder, at)) ? readdirSync(join(folder, at)) : []) {
      const path = at === '' ? name : `${at}/${name}`
      const stat = lstatSync(join(folder, path), { throwIfNoEntry: false })
      if (stat === undefined) continue
      if (stat.isDirectory()) {
        if (isWanted(path)) tree.set(path, 'folder')
        walk(path)
      } else if (isWanted(path)) tree.set(path, fingerprint(join(folder, path), stat))
    }
  }
  walk('')
  return tree
}

function fingerprint(path: string, stat: ReturnType<typeof lstatSync> & object): string {
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (!stat.isFile()) return 'special'
  const mode = (Number(stat.mode) & 0o111) === 0 ? 'file' : 'program'
  if (Number(stat.size) > 4_000_000) return `${mode} ${stat.size}`
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)}`
}

/** The paths in which two trees differ. */
export function differences(before: Tree, after: Tree): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}

/** The state of everything an attack must not change. */
export interface Guarded {
  readonly outside: Tree
  readonly planted: Tree
  readonly gate: Tree
}

export function guarded({ root, home, work, gate }: Place): Guarded {
  const ours = [work, gate, join(root, 'temp'), join(root, 'bin')].map((path) => path.slice(root.length + 1))
  const homeName = home.slice(root.length + 1)
  return {
    outside: treeOf(root, (path) => {
      if (ours.some((one) => path === one || path.startsWith(one + sep))) return false
      return !path.startsWith(homeName + sep) || !OWN_TRACES.test(path.slice(homeName.length + 1))
    }),
    planted: treeOf(work, (path) => RUN_BY_OTHERS.test(path)),
    gate: treeOf(gate, (path) => !GATE_TRACES.test(path)),
  }
}

/** Processes that still work in the folders of a run, or carry its home in their environment. */
export function aliveIn({ root }: Place): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(root) ||
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(root)
        )
      } catch {
        return false
      }
    })
}

/** A decoy secret, as it is or in base64. */
export function hasSecret(text: string): boolean {
  return /decoy-[a-z]|ZGVjb3kt|RlY295L|kZWNveS/.test(text)
}
