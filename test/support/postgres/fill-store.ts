import { appendLeaf, type Crypto, draftEntry, leafHash } from '@countersign/core'
import type pg from 'pg'

const PAGE = 10_000
/** Entries of one finished call. */
const OF_A_CALL = 3

/**
 * Adds finished calls with real entries until the journal has `size` entries, many at once and past the store: the journal
 * verifies, and only the way there is shorter.
 */
export async function fillStore(client: pg.Client, schema: string, size: number, crypto: Crypto): Promise<void> {
  const { rows } = await client.query(`SELECT size::int, frontier FROM "${schema}".head`)
  const before: number = rows[0].size
  let frontier: string = rows[0].frontier
  for (let done = before; done < size; ) {
    const [seqs, calls, lines, leaves] = [[] as number[], [] as string[], [] as string[], [] as string[]]
    for (const end = Math.min(size, done + PAGE); done < end; done += 1) {
      const call = `past-${Math.floor(done / OF_A_CALL)}`
      const line = draftEntry({ kind: 'notice', call, effect: 'reads a file of the project' }, 1).line(done + 1)
      const leaf = leafHash(line, crypto)
      frontier = appendLeaf(frontier, done, leaf, crypto)
      seqs.push(done + 1)
      calls.push(call)
      lines.push(line)
      leaves.push(leaf)
    }
    const text = `INSERT INTO "${schema}".entry SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])`
    await client.query({ name: `fill-${schema}`, text, values: [seqs, calls, lines, leaves] })
  }
  await client.query({
    text:
      `INSERT INTO "${schema}".call (id, session, state, owner, mode, tool, agent, risk, supervision, rule, "callDigest", ` +
      'summary, "openedAt", "closedAt", outcome, "openedAfter") ' +
      "SELECT 'past-' || i, 'past', 'closed', 'gone', 'ask', 'read_file', 'main', 'none', 'automatic', 'r', " +
      "repeat('d', 64), 'reads a file of the project', 1, 2, 'completed', i * $3 FROM generate_series($1::int, $2::int) AS i",
    values: [Math.floor(before / OF_A_CALL), Math.floor((size - 1) / OF_A_CALL), OF_A_CALL],
  })
  await client.query({ text: `UPDATE "${schema}".head SET size = $1, frontier = $2`, values: [size, frontier] })
}
