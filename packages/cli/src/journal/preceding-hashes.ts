import { CountersignError, type Crypto, leafHash, type Span, SpanBuilder, type Store } from '@countersign/core'

const PAGE = 1000

/** The hashes of all entries before `first`: those of archived ones as kept, those of the rest made from their lines. */
export async function spansBefore(store: Store, first: number, crypto: Crypto): Promise<readonly Span[]> {
  const spans = (await store.spans()).filter(({ to }) => to < first)
  const from = spans.at(-1)?.to ?? 0
  const { size } = await store.head()
  const missing = new CountersignError(
    'CS_USAGE',
    `the export begins with entry ${first} and this home has no hashes of all entries before it; check the parts in order, from entry 1`,
  )
  if (first > size + 1) throw missing
  const builder = new SpanBuilder(from, [first - 1], crypto)
  for (let at = from + 1; at < first; at += PAGE) {
    const page = await store.entries(at, Math.min(first - 1, at + PAGE - 1))
    if (page.length === 0) throw missing
    for (const { line } of page) builder.add(leafHash(line, crypto))
  }
  return [...spans, ...builder.spans()]
}
