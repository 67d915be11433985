import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { type HistoryFilter, service } from '../api/service.ts'
import { CallRow } from '../history/call-row.tsx'
import { FILTERS, HistoryFilters } from '../history/filters.tsx'

const DAY_MS = 86_400_000
const PAGE = 100
/** INVARIANT: L10, bounds the rows on the page; filters and the export reach the rest. */
const MOST_PAGES = 20

/** Past calls, newest first. */
export function HistoryPage(): ReactNode {
  const [search, setSearch] = useSearchParams()
  const given = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? '']))
  const { days = '', ...filters } = given
  const call = search.get('call') ?? ''
  const query: HistoryFilter = {
    ...filters,
    call,
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
  const isFiltered = Object.values(given).some((value) => value !== '') || call !== ''
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
      <HistoryFilters given={given} set={set} nameOf={nameOf} query={query} />
      {call !== '' && (
        <p className="cs-dim">
          Showing one call.{' '}
          <button type="button" className="cs-quiet" onClick={() => set('call', '')}>
            {' '}
            Show all calls
          </button>
        </p>
      )}
      {history.error !== null && <p className="cs-bad">{history.error.message}</p>}
      {history.data !== undefined && calls.length === 0 && (
        <p className="cs-dim">{isFiltered ? 'No matching calls.' : 'No calls yet.'}</p>
      )}
      <ul className="cards">
        {calls.map((one) => (
          <li key={one.id}>
            <CallRow call={one} nameOf={nameOf} isOpened={one.id === call} />
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
      {isCut && (
        <p className="cs-dim">
          These are the newest {calls.length} matching calls. Narrow the filters or export to see the rest.
        </p>
      )}
    </div>
  )
}
