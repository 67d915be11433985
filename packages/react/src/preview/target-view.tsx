import { byteWords, countedWords, type Preview, type PreviewTarget } from '@countersign/core'
import type { ReactNode } from 'react'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { Notes } from './notes.tsx'

/** What a delete takes away: the sum, then each file or folder with what it holds. */
export function DeleteView({ preview }: { readonly preview: Extract<Preview, { kind: 'delete' }> }): ReactNode {
  const { targets } = preview
  return (
    <Region className="cs-targets" label="What is deleted">
      {targets.length > 1 && (
        <p>
          deletes {targets.length} targets: {sumOf(targets)}
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

/** From where to where, and whether something is lost there. */
export function MoveView({ preview }: { readonly preview: Extract<Preview, { kind: 'move' }> }): ReactNode {
  const { from, to, verb, overwrites, notes } = preview
  return (
    <Region className="cs-targets" label={verb === 'move' ? 'What is moved' : 'What is copied'}>
      <div className="cs-target">
        <TargetLine target={from} verb={verb === 'move' ? 'moves' : 'copies'} />
      </div>
      <div className={overwrites ? 'cs-target cs-target-delete' : 'cs-target'}>
        <TargetLine target={to} verb={overwrites ? 'over what is at' : 'to'} />
      </div>
      <Notes notes={notes} />
    </Region>
  )
}

/** A file or folder with what it is now. */
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
      return 'nothing found there'
    case 'unseen':
      return 'could not be looked at'
    case 'link':
      return leads === undefined ? 'a link' : `a link to ${leads}`
    case 'other':
      return 'no ordinary file'
    case 'file':
      return byteWords(bytes)
    case 'directory': {
      if (complete && unread === 0 && files + folders === 0) return 'empty folder'
      const inside = folders === 0 ? '' : ` in ${countedWords(folders + 1, 'folder')}`
      const closed = unread === 0 ? '' : `, ${countedWords(unread, 'folder')} cannot be listed`
      return `${complete ? '' : 'more than '}${countedWords(files, 'file')}${inside}, ${byteWords(bytes)}${closed}`
    }
  }
}

/** The names of a folder as a tree: what lies in another stands below it. */
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
      {unread > 0 && <li className="cs-dim">… and {countedWords(unread, 'folder')} that cannot be listed</li>}
    </ul>
  )
}

/** A folder directly before what it holds. */
function byPlace(one: string, other: string): number {
  const [a, b] = [one.replaceAll('/', '\u0000'), other.replaceAll('/', '\u0000')]
  return a < b ? -1 : a > b ? 1 : 0
}
