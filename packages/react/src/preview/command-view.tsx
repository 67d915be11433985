import {
  countedWords,
  type Preview,
  type PreviewPart,
  safeLines,
  toRiskLevel,
  type UnseenPreview,
} from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { Region } from '../text/region.tsx'
import { RiskBadge } from '../text/risk-badge.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { DiffView } from './diff-view.tsx'
import { Notes } from './notes.tsx'
import { TargetLine } from './target-view.tsx'

const MANY_PARTS = 20

/** A command with its targets and, for a script, the risk of each part. */
export function CommandView({
  preview,
  cwd,
}: {
  readonly preview: Extract<Preview, { kind: 'command' }>
  readonly cwd: string
}): ReactNode {
  const { command, folder, parts, targets, problems } = preview
  const lines = useMemo(() => safeLines(command), [command])
  return (
    <Region className="cs-command" label="Command">
      <CodeBlock lines={lines} label="Full command" strong />
      {folder !== cwd && (
        <p>
          {' '}
          In folder{' '}
          <code>
            <SafeTextView text={folder} />
          </code>
        </p>
      )}
      <Notes notes={problems} bad />
      {targets.map((target) => (
        <div key={`${target.use} ${target.path}`} className={`cs-target cs-target-${target.use}`}>
          <TargetLine
            target={target}
            verb={target.use === 'delete' ? 'deletes' : target.type === 'absent' ? 'creates' : 'changes'}
          />
        </div>
      ))}
      <Parts parts={parts} />
      {preview.unseen !== undefined && <UnseenView unseen={preview.unseen} />}
    </Region>
  )
}

/** So few files are shown with their diffs open. */
const FEW_FILES = 2

/** Changes that the command could load and that nobody has seen. */
function UnseenView({ unseen }: { readonly unseen: UnseenPreview }): ReactNode {
  const { everything, files, more } = unseen
  const count = files.length + more
  return (
    <section className="cs-unseen" aria-label="Changes nobody has seen">
      <p className="cs-unseen-head">
        Runs code with changes nobody has seen{' '}
        <span className="cs-dim">
          {everything === null ? countedWords(count, 'file') : <SafeTextView text={everything} />}
        </span>
      </p>
      {files.map((file) => (
        <details key={file.path} className="cs-unseen-file" open={count <= FEW_FILES}>
          <summary>
            <code>
              <SafeTextView text={file.path} />
            </code>{' '}
            {file.added > 0 && <span className="cs-plus">+{file.added} </span>}
            {file.removed > 0 && <span className="cs-minus">−{file.removed} </span>}
            {file.agent !== '' && (
              <span className="cs-dim">
                by <SafeTextView text={file.agent} />
              </span>
            )}
            {!file.whole && <span className="cs-dim"> · stays unseen</span>}
          </summary>
          <DiffView preview={{ ...file, folded: 0 }} />
        </details>
      ))}
      {more > 0 && <p className="cs-dim">{countedWords(more, 'more file')}; see the page Changes</p>}
      {files.some(({ whole }) => whole) && (
        <p className="cs-dim">
          Approving marks these changes as seen
          {files.every(({ whole }) => whole) ? '' : ', except those that stay unseen'}.
        </p>
      )}
    </section>
  )
}

/** The parts of a command. Of many, only those with risk; the full text is above. */
function Parts({ parts }: { readonly parts: readonly PreviewPart[] }): ReactNode {
  const [first] = parts
  if (parts.length < 2 && (first === undefined || first.via.length === 0)) return null
  const listed = parts.length > MANY_PARTS ? parts.filter((part) => part.level !== 'none') : parts
  return (
    <ol className="cs-parts" aria-label="Parts of the command">
      {listed.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same command may occur twice
        <li key={at}>
          <RiskBadge level={toRiskLevel(part.level)} small />
          <span>
            <code>
              <SafeTextView text={part.text} />
            </code>
            <PartFacts part={part} />
          </span>
        </li>
      ))}
      {parts.length > listed.length && <li className="cs-dim">and {parts.length - listed.length} more without risk</li>}
    </ol>
  )
}

function PartFacts({ part }: { readonly part: PreviewPart }): ReactNode {
  const facts = [
    ...(part.via.length === 0 ? [] : [`via ${part.via.join(', ')}`]),
    ...(part.fedBy === undefined ? [] : [`input from ${part.fedBy.join(', ')}`]),
    ...(part.writes.length === 0 ? [] : [`writes ${part.writes.join(', ')}`]),
    ...(part.folder === null ? [] : [`in ${part.folder}`]),
  ]
  if (facts.length === 0) return null
  return (
    <span className="cs-dim">
      {' '}
      <SafeTextView text={facts.join(' · ')} />
    </span>
  )
}
