import { randomUUID } from 'node:crypto'
import type { RecordedStatement, RecordedTransaction } from '@countersign/testing/postgres/recorded-statements'
import type pg from 'pg'
import { clientAt, schemaOf } from './clients.ts'

interface Step {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly about: 'entry' | 'head' | 'applied' | 'other'
}

type Commits = readonly { readonly isRelaxed: boolean; readonly steps: readonly Step[] }[]

/** The rows that one call writes, written again by the driver alone: its recorded transactions on tables of their own. */
export class BareServer {
  readonly #clients: readonly pg.Client[]
  readonly #transactions: Commits
  readonly #id: string
  readonly #lines = { next: 1 }

  private constructor(clients: readonly pg.Client[], transactions: Commits, id: string) {
    this.#clients = clients
    this.#transactions = transactions
    this.#id = id
  }

  /** `recorded` are the commits of the call `id`, made in the schema of `from`; `to` has empty tables. */
  static async open(
    recorded: readonly RecordedTransaction[],
    places: { readonly id: string; readonly from: string; readonly to: string },
    connections = 1,
  ): Promise<BareServer> {
    const [from, to] = [schemaOf(places.from), schemaOf(places.to)]
    // Writers side by side would wait for each other at the row of the head: the floor of many is without it.
    const keepsHead = connections === 1
    const transactions = recorded.map(({ statements }) => ({
      isRelaxed: statements.some(({ text }) => text.includes('synchronous_commit')),
      steps: statements
        .flatMap((statement) => stepsOf(statement, from, to))
        .filter(({ about }) => keepsHead || about !== 'head'),
    }))
    const clients = []
    for (let made = 0; made < connections; made += 1) clients.push(await clientAt(places.to))
    const bare = new BareServer(clients, transactions, places.id)
    await bare.repeat(randomUUID())
    return bare
  }

  /** Writes the transactions from..to (exclusive) of a call of this id, each in one round trip. */
  async repeat(id: string, { from = 0, to = this.#transactions.length, on = 0 } = {}): Promise<void> {
    const client = this.#clients[on]
    if (client === undefined) throw new Error(`no connection ${on}`)
    for (const { isRelaxed, steps } of this.#transactions.slice(from, to)) {
      const sent = [client.query(isRelaxed ? 'BEGIN; SET LOCAL synchronous_commit = off' : 'BEGIN')]
      for (const { name, text, about, values } of steps)
        sent.push(client.query({ name, text, values: this.#valuesFor(about, values, id) }))
      const answers = await Promise.all([...sent, client.query('COMMIT')])
      if (answers.at(-1)?.command !== 'COMMIT') throw new Error('the floor was rolled back')
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end()
  }

  #valuesFor(about: Step['about'], values: readonly unknown[], id: string): unknown[] {
    if (about === 'applied') return [randomUUID()]
    const own = values.map((value) => this.#withId(value, id))
    if (about === 'entry') own[0] = (own[0] as readonly unknown[]).map(() => this.#lines.next++)
    return own
  }

  #withId(value: unknown, id: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#withId(one, id))
    return value === this.#id ? id : value
  }
}

/** The writes of a statement; reads, bounds and announcements are none. */
function stepsOf({ name, text, values }: RecordedStatement, from: string, to: string): readonly Step[] {
  if (name === 'move-head') {
    const head = `UPDATE "${to}".head SET size = $1, frontier = $2, revision = revision + 1, gates = $3`
    return [
      { name: 'head', text: head, values: [values[0], values[1], values[5]], about: 'head' },
      {
        name: 'applied',
        text: `INSERT INTO "${to}".applied VALUES ($1, clock_timestamp())`,
        values: [],
        about: 'applied',
      },
    ]
  }
  if (!/^(INSERT|UPDATE|DELETE)/.test(text)) return []
  const about = name === 'entries' ? 'entry' : 'other'
  return [{ name: name ?? text.slice(0, 60), text: text.replaceAll(`"${from}".`, `"${to}".`), values, about }]
}
