import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EXPORT_PAGE, exportHistory } from '../api/history-export.ts'
import { type HistoryFilter, service } from '../api/service.ts'

/** Everything that fits the filters, as a file; says so when it is not everything. */
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
