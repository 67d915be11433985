import { byteWords, countedWords, type Preview, type PreviewTarget } from '@countersign/core'
import type { ReactNode } from 'react'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { Notes } from './notes.tsx'

/** The total that a delete removes, then each file or folder with its contents. */
export function DeleteView({ preview }: { readonly preview: Extract<Preview, { kind: 'delete' }> }): ReactNode {
  const { targets } = preview
  return (
    <Region className="cs-targets" label="Deleted files">
      {targets.length > 1 && (
        <p>
          {' '}
          Deletes {targets.length} targets: {sumOf(targets)}
        </p>
      )}
      <Notes notes={preview.notes} />
      {targets.map((target) => (
        <div key={target.path} className="cs-target cs-target-delete">
          <TargetLine target={target} verb="deletes" />
          <Tree target={target} />
        </div>
      ))}
    </Region>
  )
}

/** Source and destination of a move or copy, and whether it overwrites something. */
export function MoveView({ preview }: { readonly preview: Extract<Preview, { kind: 'move' }> }): ReactNode {
  const { from, to, verb, overwrites, notes } = preview
  return (
    <Region className="cs-targets" label={verb === 'move' ? 'Moved files' : 'Copied files'}>
      <div className="cs-target">
        <TargetLine target={from} verb={verb === 'move' ? 'moves' : 'copies'} />
      </div>
      <div className={overwrites ? 'cs-target cs-target-delete' : 'cs-target'}>
        <TargetLine target={to} verb={overwrites ? 'overwrites' : 'to'} />
      </div>
      <Notes notes={notes} />
    </Region>
  )
}

/** A file or folder and its current state. */
export function TargetLine({ target, verb }: { readonly target: PreviewTarget; readonly verb: string }): ReactNode {
  return (
    <p className="cs-target-line">
      <span className="cs-target-verb">{verb}</span>{' '}
      <code>
        <SafeTextView text={target.path} />
      </code>{' '}
      <span className="cs-dim">
        <SafeTextView text={figures(target)} />
      </span>
    </p>
  )
}

function sumOf(targets: readonly PreviewTarget[]): string {
  const files = targets.reduce((sum, one) => sum + one.files, 0)
  const bytes = targets.reduce((sum, one) => sum + one.bytes, 0)
  const isAll = targets.every((one) => one.complete && one.unread === 0)
  return `${isAll ? '' : 'more than '}${countedWords(files, 'file')}, ${byteWords(bytes)}`
}

function figures({ type, leads, files, folders, bytes, unread, complete }: PreviewTarget): string {
  switch (type) {
    case 'absent':
      return 'does not exist'
    case 'unseen':
      return 'could not be read'
    case 'link':
      return leads === undefined ? 'symbolic link' : `symbolic link to ${leads}`
    case 'other':
      return 'not a regular file'
    case 'file':
      return byteWords(bytes)
    case 'directory': {
      if (complete && unread === 0 && files + folders === 0) return 'empty folder'
      const inside = folders === 0 ? '' : ` in ${countedWords(folders + 1, 'folder')}`
      const closed = unread === 0 ? '' : `, ${countedWords(unread, 'folder')} unreadable`
      return `${complete ? '' : 'more than '}${countedWords(files, 'file')}${inside}, ${byteWords(bytes)}${closed}`
    }
  }
}

/** The contents of a folder as a tree. */
function Tree({ target }: { readonly target: PreviewTarget }): ReactNode {
  const { type, listed, files, folders, unread, complete } = target
  if (type !== 'directory' || listed.length === 0) return null
  const left = files + folders - listed.length
  return (
    <ul className="cs-tree">
      {[...listed].sort(byPlace).map((name) => {
        const parts = name.split('/')
        const isFolder = name.endsWith('/')
        const depth = Math.min(8, parts.length - (isFolder ? 2 : 1))
        return (
          <li key={name} className={`cs-depth-${depth}`}>
            <SafeTextView text={isFolder ? `${parts.at(-2) ?? ''}/` : (parts.at(-1) ?? '')} />
          </li>
        )
      })}
      {left > 0 && (
        <li className="cs-dim">
          … {complete ? '' : 'more than '}
          {left.toLocaleString('en')} more
        </li>
      )}
      {unread > 0 && <li className="cs-dim">… and {countedWords(unread, 'unreadable folder')}</li>}
    </ul>
  )
}

/** Sorts a folder directly before its contents. */
function byPlace(one: string, other: string): number {
  const [a, b] = [one.replaceAll('/', '\u0000'), other.replaceAll('/', '\u0000')]
  return a < b ? -1 : a > b ? 1 : 0
}
