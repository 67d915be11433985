import { dateWords, levelOf, RiskBadge, Safe, spanWords } from '@countersign/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { service } from '../service.ts'

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

/** Calls of the past, newest first, with who decided what. */
export function HistoryPage(): ReactNode {
  const [search, setSearch] = useSearchParams()
  const [limit, setLimit] = useState(PAGE)
  const tool = search.get('tool') ?? ''
  const outcome = search.get('outcome') ?? ''
  const days = search.get('days') ?? ''
  const call = search.get('call')
  const query = {
    tool,
    outcome,
    since: days === '' ? '' : String(Math.floor(Date.now() / 60_000) * 60_000 - Number(days) * DAY_MS),
  }
  const history = useQuery({
    queryKey: ['history', query, limit],
    queryFn: () => service.history({ ...query, limit: String(limit) }),
    placeholderData: keepPreviousData,
  })
  const calls = (history.data?.calls ?? []).filter((one) => call === null || one.id === call)
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
        <a className="cs-button" href={service.historyExport(query)} download="history.jsonl">
          Export JSONL
        </a>
      </div>
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
                    text={` · ${one.decision.kind === 'approve' ? 'approved' : 'rejected'} by ${one.decision.approver} on ${one.decision.surface} after ${spanWords(one.decision.at - one.openedAt)}`}
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
      {(history.data?.calls.length ?? 0) >= limit && (
        <button type="button" className="cs-button" onClick={() => setLimit(limit + PAGE)}>
          Show more
        </button>
      )}
    </div>
  )
}
