import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type HistoryFilter, service } from '../api/service.ts'

/** Downloads all matching calls, and tells if the export was cut. */
export function ExportButton({ query }: { readonly query: HistoryFilter }): ReactNode {
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
            ? `Exported the newest ${exporting.data.calls} matching calls only. Narrow the filters to get older ones.`
            : `Exported all ${exporting.data.calls} matching calls.`)}
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

/** INVARIANT: L10, calls per request and per export. */
export const EXPORT_PAGE = 1_000
const MOST_EXPORTED = 100_000

/** Past calls as JSON lines; `isCut` if there are more. */
interface HistoryExport {
  readonly text: readonly string[]
  readonly calls: number
  readonly isCut: boolean
}

/** Reads all matching calls page by page. `read` returns the calls before one, newest first. */
export async function exportHistory(
  read: (before: string) => Promise<string>,
  most = MOST_EXPORTED,
): Promise<HistoryExport> {
  const text: string[] = []
  for (let calls = 0, before = ''; ; ) {
    const page = await read(before)
    const lines = page.split('\n').filter((line) => line !== '')
    if (page !== '') text.push(page)
    calls += lines.length
    const last = lines.at(-1)
    if (last === undefined || lines.length < EXPORT_PAGE) return { text, calls, isCut: false }
    if (calls >= most) return { text, calls, isCut: true }
    before = (JSON.parse(last) as { readonly id: string }).id
  }
}
