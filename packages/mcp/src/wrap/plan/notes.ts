/** What a person should know of what is wrapped, besides what changes. */

import { labelOf } from '../../identity/server-label.ts'
import { foldLabel } from '../../pins/label-files.ts'
import type { ServerEntry } from '../config/text.ts'
import type { Gates, Standing } from '../entry/gate-status.ts'
import type { Launcher } from '../entry/installation.ts'
import { lineLabel } from './label-claims.ts'

/** Where package managers put what they install for one run: npx, `pnpm dlx`, `yarn dlx`, bunx. */
const FOR_ONE_RUN = /[/\\](?:_npx|dlx(?:-[^/\\]+)?|xfs-[^/\\]+|bunx-[^/\\]+)[/\\]/

/** A bare name is what the path of a client makes of it, and what was installed for one run may be cleared away. */
export function notesOnLauncher(launcher: Launcher, { installation: { onPath } }: Gates): readonly string[] {
  if (launcher.some((word) => FOR_ONE_RUN.test(word)))
    return [
      'this Countersign was installed for one run, in a cache that may be cleared: its servers would not start then; install it, and wrap with that',
    ]
  if (launcher[0] !== 'countersign' || onPath === 'this') return []
  return [
    onPath === 'none'
      ? '`countersign` is not on your path, and clients start it by that name; install it there, or give `--launcher`'
      : '`countersign` on your path is another installation, and clients start it by that name',
  ]
}

/** The name of a gate that `wrap` did not write is whatever its file says. */
export function notesOnName({ name }: ServerEntry, standing: Standing): readonly string[] {
  const label = standing.kind === 'gated' && standing.kept === null ? lineLabel(standing.line) : null
  if (label === null || foldLabel(label) === foldLabel(labelOf(name))) return []
  return [`\`wrap\` did not write that gate: by its file it is \`${label}\`, and gets the rules for that name`]
}

export function notesOn({ data }: ServerEntry, standing: Standing): readonly string[] {
  const isOff = data['disabled'] === true || data['enabled'] === false
  return [
    ...(standing.kind === 'alike' ? [`it looks like a gate, but ${standing.why}; it is wrapped like any server`] : []),
    ...(isOff ? ['it is switched off, and stays so'] : []),
  ]
}
