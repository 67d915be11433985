/** Calls that one answer may hold, and that one export may. INVARIANT: L10 */
export const EXPORT_PAGE = 1_000
const MOST_EXPORTED = 100_000

/** Past calls as JSON lines, and whether there are more than they hold. */
export interface HistoryExport {
  readonly text: readonly string[]
  readonly calls: number
  readonly isCut: boolean
}

/** Reads all that fits, page by page; `read` gives the calls before one, newest first. */
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
