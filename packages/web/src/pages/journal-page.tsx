import {
  entryWords,
  formatDateTime,
  formatTime,
  type JournalEntry,
  type Json,
  JsonView,
  SafeTextView,
  subjectOf,
  type VerifiedJournal,
} from '@countersign/react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { followJournal, PAGE_LENGTH as LENGTH } from '../api/follow-journal.ts'
import { type JournalPage as Page, service } from '../api/service.ts'

/** The journal entries and their verification. */
export function JournalPage(): ReactNode {
  const [to, setTo] = useState<number | null>(null)
  const queries = useQueryClient()
  const journal = useQuery({
    queryKey: ['journal', to],
    queryFn: () =>
      to === null
        ? followJournal(queries.getQueryData<Page>(['journal', null]), service.journal)
        : service.journal({ from: String(Math.max(1, to - LENGTH + 1)), to: String(to) }),
    placeholderData: keepPreviousData,
    refetchInterval: to === null ? 5_000 : false,
  })
  const page = journal.data
  const first = page?.entries[0]?.seq ?? 1
  const last = page?.entries.at(-1)?.seq ?? 0
  const subjects = useMemo(() => subjectsIn(page?.entries ?? []), [page?.entries])
  return (
    <div className="page">
      <h1 className="page-title">Journal</h1>
      {journal.error !== null && <p className="cs-bad">{journal.error.message}</p>}
      {journal.error === null && <Verification />}
      <ol className="entries">
        {page?.entries.toReversed().map((entry) => (
          <li key={entry.seq}>
            <Entry entry={entry} subject={entry.call === null ? '' : (subjects.get(entry.call) ?? '')} />
          </li>
        ))}
      </ol>
      <div className="cs-row">
        <button type="button" className="cs-button" disabled={first <= 1} onClick={() => setTo(first - 1)}>
          Older
        </button>
        <span className="cs-dim">{page === undefined ? '' : `${first} to ${last} of ${page.size}`}</span>
        <button
          type="button"
          className="cs-button"
          disabled={to === null}
          onClick={() => setTo(newer(last, page?.size ?? 0))}
        >
          Newer
        </button>
      </div>
    </div>
  )
}

/** The tool of each call with its command, file or URL, from the entries that judged it. */
function subjectsIn(entries: readonly JournalEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'judged' && entry.call !== null
        ? [[entry.call, `${String(entry['tool'])} ${subjectOf(entry)}`.trim()] as const]
        : [],
    ),
  )
}

function newer(last: number, size: number): number | null {
  return last + LENGTH >= size ? null : last + LENGTH
}

/** Verifies new entries when the page opens, and all entries on request. */
function Verification(): ReactNode {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: service.verifyJournal })
  useEffect(() => mutate('since'), [mutate])
  return (
    <div className="verification">
      {error !== null && <p className="cs-bad">{error.message}</p>}
      {data !== undefined && <Verdict verified={data} />}
      <p className="cs-row">
        <span className="cs-dim" role="status">
          {isPending ? 'Verifying…' : data === undefined ? '' : whenWords(data)}
        </span>
        <button type="button" className="cs-button" disabled={isPending} onClick={() => mutate('whole')}>
          Verify all
        </button>
      </p>
    </div>
  )
}

function whenWords({ at, wholeAt }: VerifiedJournal): string {
  return at === wholeAt
    ? `All entries verified at ${formatTime(at)}.`
    : `All entries verified at ${formatTime(wholeAt)}, newer ones at ${formatTime(at)}.`
}

function Verdict({ verified }: { readonly verified: VerifiedJournal }): ReactNode {
  const { size, root, signedTo, keptTo, damage } = verified
  if (damage.length > 0)
    return (
      <div className="verdict verdict-bad" role="alert">
        <p>
          ✖ The journal is damaged. Run <code>countersign journal verify</code>.
        </p>
        {damage.map((one) => (
          <p key={one.message}>
            <SafeTextView text={one.message} />
          </p>
        ))}
      </div>
    )
  return (
    <div className="verdict">
      <p>
        <b>✔ Verified up to entry {size.toLocaleString('en')}</b> {signedWords(signedTo, keptTo)}
      </p>
      {root !== null && <code className="root">{root}</code>}
    </div>
  )
}

function signedWords(signedTo: number, keptTo: number): string {
  if (signedTo === 0) return ' · no signed checkpoint yet'
  const kept =
    keptTo === 0
      ? 'no copy in the home’s heads folder yet'
      : `copy in the home’s heads folder up to ${keptTo.toLocaleString('en')}`
  return ` · signed up to ${signedTo.toLocaleString('en')} · ${kept}`
}

function Entry({ entry, subject }: { readonly entry: JournalEntry; readonly subject: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { seq, at, kind, call, v: _, ...rest } = entry
  return (
    <details className="entry" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="entry-seq">{seq}</span>
        <span className="cs-dim entry-when">{formatDateTime(at)}</span>
        <b className="entry-kind">
          <SafeTextView text={kind} />
        </b>
        <span className="entry-about">
          <SafeTextView text={entryWords(entry, formatTime)} />{' '}
          {subject !== '' && (
            <code className="entry-subject">
              <SafeTextView text={subject} />
            </code>
          )}
        </span>
        {call !== null && (
          <code className="cs-dim">
            <SafeTextView text={call.slice(0, 12)} />
          </code>
        )}
      </summary>
      {isOpen && <JsonView value={rest as Json} label="Journal entry" />}
    </details>
  )
}
