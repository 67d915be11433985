import { dateWords, levelOf, RiskBadge, Safe, tookWords } from '@countersign/react'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { EXPORT_PAGE, exportHistory } from '../export-history.ts'
import { type HistoryFilter, service } from '../service.ts'

const OUTCOMES = [
  'completed',
  'failed',
  'denied',
  'rejected',
  'expired',
  'withdrawn',
  'stale',
  'released',
  'refused',
  'unknown',
]
const DAY_MS = 86_400_000
const SINCE = [
  ['', 'any time'],
  ['1', 'last day'],
  ['7', 'last week'],
  ['30', 'last month'],
] as const
const PAGE = 100
/** INVARIANT: L10, what one page draws; filters and the export reach the rest. */
const MOST_PAGES = 20

/** Calls of the past, newest first, with who decided what. */
export function HistoryPage(): ReactNode {
  const [search, setSearch] = useSearchParams()
  const tool = search.get('tool') ?? ''
  const outcome = search.get('outcome') ?? ''
  const days = search.get('days') ?? ''
  const call = search.get('call') ?? ''
  const query: HistoryFilter = {
    call,
    tool,
    outcome,
    since: days === '' ? '' : String(Math.floor(Date.now() / 60_000) * 60_000 - Number(days) * DAY_MS),
  }
  const history = useInfiniteQuery({
    queryKey: ['history', query],
    queryFn: ({ pageParam }) => service.history({ ...query, before: pageParam, limit: String(PAGE) }),
    initialPageParam: '',
    getNextPageParam: ({ calls: page }, pages) =>
      page.length < PAGE || pages.length >= MOST_PAGES ? undefined : page.at(-1)?.id,
    placeholderData: keepPreviousData,
  })
  const me = useQuery({ queryKey: ['me'], queryFn: service.me })
  const nameOf = (id: string): string => me.data?.approvers.find((one) => one.id === id)?.name ?? id
  const pages = history.data?.pages ?? []
  const calls = pages.flatMap((page) => page.calls)
  const isCut = pages.length >= MOST_PAGES && pages.at(-1)?.calls.length === PAGE
  function set(name: string, value: string): void {
    setSearch((before) => {
      const next = new URLSearchParams(before)
      next.delete('call')
      if (value === '') next.delete(name)
      else next.set(name, value)
      return next
    })
  }
  return (
    <div className="page">
      <h1 className="page-title">History</h1>
      <div className="filters">
        <label>
          <span>Tool</span>
          <input
            className="cs-input"
            value={tool}
            placeholder="exact name"
            onChange={(event) => set('tool', event.target.value)}
          />
        </label>
        <label>
          <span>Outcome</span>
          <select className="cs-input" value={outcome} onChange={(event) => set('outcome', event.target.value)}>
            <option value="">any</option>
            {OUTCOMES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          <span>When</span>
          <select className="cs-input" value={days} onChange={(event) => set('days', event.target.value)}>
            {SINCE.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <Export query={query} />
      </div>
      {call !== '' && (
        <p className="cs-dim">
          One call only.{' '}
          <button type="button" className="cs-quiet" onClick={() => set('call', '')}>
            Show all
          </button>
        </p>
      )}
      {history.error !== null && <p className="cs-bad">{history.error.message}</p>}
      {history.data !== undefined && calls.length === 0 && <p className="cs-dim">No call fits.</p>}
      <ul className="cards">
        {calls.map((one) => (
          <li key={one.id} className="past">
            <span className="past-when cs-dim">{dateWords(one.openedAt)}</span>
            <span className={`past-outcome outcome-${one.outcome ?? 'open'}`}>{one.outcome ?? one.state}</span>
            <span className="past-what">
              <Safe text={one.summary} />
              <span className="past-facts cs-dim">
                <RiskBadge level={levelOf(one.risk)} small /> <Safe text={`${one.agent} · ${one.tool} · ${one.rule}`} />
                {one.decision !== null && (
                  <Safe
                    text={` · ${one.decision.kind === 'approve' ? 'approved' : 'rejected'} by ${nameOf(one.decision.approver)} in the ${one.decision.surface} after ${tookWords(one.decision.at - one.openedAt)}`}
                  />
                )}
                {one.decision?.reason != null && (
                  <q>
                    <Safe text={one.decision.reason} />
                  </q>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {history.hasNextPage && (
        <button
          type="button"
          className="cs-button"
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show more
        </button>
      )}
      {isCut && <p className="cs-dim">These are the newest {calls.length} that fit. Narrow the filters, or export.</p>}
    </div>
  )
}

/** Everything that fits the filters, as a file; says so when it is not everything. */
function Export({ query }: { readonly query: HistoryFilter }): ReactNode {
  const exporting = useMutation({
    async mutationFn() {
      const made = await exportHistory((before) =>
        service.historyLines({ ...query, before, limit: String(EXPORT_PAGE) }),
      )
      save(new Blob([...made.text], { type: 'application/jsonl' }), 'countersign-history.jsonl')
      return made
    },
  })
  return (
    <>
      <button type="button" className="cs-button" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        Export JSONL
      </button>
      <span role="status" className={exporting.error === null ? 'cs-dim' : 'cs-bad'}>
        {exporting.error?.message}
        {exporting.data !== undefined &&
          (exporting.data.isCut
            ? `Cut: the newest ${exporting.data.calls} calls. Older ones fit too; narrow the filters.`
            : `All ${exporting.data.calls} that fit.`)}
      </span>
    </>
  )
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
