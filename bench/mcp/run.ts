import { readFileSync } from 'node:fs'
import { median } from '../interleave.ts'
import { type BenchRow, type BenchTable, formatText } from '../table.ts'
import type { McpContender } from './contender.ts'
import { added, inFlight, type McpTurns, oneByOne, ratio, type TurnTimes } from './in-turns.ts'
import { type McpStage, openMcpStage } from './stage.ts'

const SERVER = 'the server itself'
const OURS = 'countersign'
const KIB64 = 64 * 1024
const MIB10 = 10 * 1024 * 1024
const MOST_ADDED_MS = 0.3
const MOST_TIMES_BARE = 1.3
const LEAST_SHARE = 0.2

/** The proxy's overhead on an automatic call, which is judged and journaled, compared with a raw pipe and other bridges. */
export async function benchMcp({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  const stage = openMcpStage()
  try {
    const turns: McpTurns = quick ? { reps: 5, calls: 60, warm: 100 } : { reps: 15, calls: 300, warm: 1000 }
    const notes = [
      stage.isBuilt ? 'the built command' : 'from the sources, which start more slowly than the built command',
      ...(stage.hasPeers ? [] : ['the other bridges could not be installed and were not measured']),
    ]
    return [
      await benchPipe(stage, turns, notes),
      await benchHttp(stage, turns, notes),
      await benchStart(stage, quick, notes),
    ]
  } finally {
    stage.close()
  }
}

async function benchPipe(stage: McpStage, turns: McpTurns, notes: readonly string[]): Promise<BenchTable> {
  const own = [await stage.direct(), await stage.rawPipe(), await stage.ours()]
  const sdk = await stage.onSdk()
  const peers = stage.hasPeers ? await Promise.all([stage.supergateway(), stage.mcpProxy()]) : []
  try {
    const small = await oneByOne([...own, ...peers], { message: 'hello' }, turns)
    const flushed = await oneByOne(
      own,
      { message: 'hello' },
      { ...turns, calls: Math.ceil(turns.calls / 4), warm: 20 },
      'process_text',
    )
    const bareMany = await inFlight(own, 32, { ...turns, calls: turns.calls * 4 })
    const many = await inFlight(sdk, 32, { ...turns, calls: turns.calls * 4 })
    const few = { ...turns, calls: Math.ceil(turns.calls / 10), warm: 20 }
    const medium = await oneByOne(own, { size: KIB64 }, few)
    const ours = own[2]
    const before = peakMb(ours)
    const large = await oneByOne(own, { size: MIB10 }, { reps: few.reps, calls: 2, warm: 2 })
    const quickest = Math.min(...peers.map(({ name }) => added(small, name, SERVER)))
    return {
      title: 'MCP on stdio: an automatic call',
      rows: [
        row(small, SERVER, 'one call'),
        row(small, 'a raw pipe', 'one call'),
        {
          ...row(small, OURS, 'one call'),
          target: `adds ≤ ${MOST_ADDED_MS} ms`,
          ok: added(small, OURS, SERVER) <= MOST_ADDED_MS,
        },
        ...peers.map(({ name }) => row(small, name, 'one call')),
        ...(peers.length === 0
          ? []
          : [
              {
                name: 'added by countersign, compared with the fastest other bridge',
                median: added(small, OURS, SERVER),
                unit: 'ms' as const,
                ratio: `${(added(small, OURS, SERVER) / quickest).toFixed(2)}× what it adds`,
                target: '< 1×',
                ok: added(small, OURS, SERVER) < quickest,
              },
            ]),
        row(flushed, OURS, 'one call of medium risk, synced to disk first'),
        ...sdk.map(({ name }) => throughput(many, name)),
        ...own.map(({ name }) => bareThroughput(bareMany, name)),
        row(medium, SERVER, '64 KiB result'),
        row(medium, 'a raw pipe', '64 KiB result'),
        row(medium, OURS, '64 KiB result'),
        row(large, SERVER, '10 MiB result'),
        row(large, 'a raw pipe', '10 MiB result'),
        row(large, OURS, '10 MiB result'),
        { name: '10 MiB results: growth of the proxy’s peak memory', median: peakMb(ours) - before, unit: 'MB' },
      ],
      notes: [
        'every contender is in front of the same server, which does almost nothing',
        'countersign judges and journals each call; a raw pipe and the other bridges do neither',
        'supergateway and mcp-proxy expose a stdio server over HTTP; their overhead is relative to the server’s own stdio',
        '32 in flight: in front of a typical server on the official SDK',
        ...notes,
      ],
    }
  } finally {
    for (const one of [...own, ...sdk, ...peers]) await one.close()
  }
}

async function benchHttp(stage: McpStage, turns: McpTurns, notes: readonly string[]): Promise<BenchTable> {
  const server = await stage.httpServer()
  const over = [server, await stage.bareProxy(server.url), await stage.oursOverHttp(server.url)]
  const bridges = [await stage.oursToUrl(server.url)]
  if (stage.hasPeers) bridges.push(await stage.mcpRemote(server.url), await stage.supergatewayToUrl(server.url))
  const named = bridges.map((one) => ({ ...one, name: `${one.name}, from stdio` }))
  try {
    const times = await oneByOne([...over, ...named], { message: 'hello' }, turns)
    const large = await oneByOne(over, { size: MIB10 }, { reps: turns.reps, calls: 2, warm: 2 })
    const bare = 'a bare node:http proxy'
    const beside = (run: TurnTimes): Pick<BenchRow, 'ratio' | 'target' | 'ok'> => ({
      ratio: `${ratio(run, OURS, bare).toFixed(2)}× the bare proxy`,
      target: `≤ ${MOST_TIMES_BARE}×`,
      ok: ratio(run, OURS, bare) <= MOST_TIMES_BARE,
    })
    const peers = named.slice(1)
    const mine = named[0]?.name ?? ''
    const quickest = Math.min(...peers.map(({ name }) => added(times, name, SERVER)))
    return {
      title: 'MCP over HTTP: an automatic call',
      rows: [
        row(times, SERVER, 'one call'),
        row(times, bare, 'one call'),
        { ...row(times, OURS, 'one call'), ...beside(times) },
        ...named.map(({ name }) => row(times, name, 'one call')),
        ...(peers.length === 0
          ? []
          : [
              {
                name: 'added by countersign from stdio, compared with the fastest other bridge',
                median: added(times, mine, SERVER),
                unit: 'ms' as const,
                ratio: `${(added(times, mine, SERVER) / quickest).toFixed(2)}× what it adds`,
                target: '< 1×',
                ok: added(times, mine, SERVER) < quickest,
              },
            ]),
        row(large, SERVER, '10 MiB result'),
        row(large, bare, '10 MiB result'),
        { ...row(large, OURS, '10 MiB result'), ratio: `${ratio(large, OURS, bare).toFixed(2)}× the bare proxy` },
      ],
      notes: ['“from stdio”: a stdio client in front of the same HTTP server', ...notes],
    }
  } finally {
    for (const one of [...bridges, ...over.toReversed()]) await one.close()
  }
}

async function benchStart(stage: McpStage, quick: boolean, notes: readonly string[]): Promise<BenchTable> {
  const starts = { [SERVER]: stage.direct, 'a raw pipe': stage.rawPipe, [OURS]: stage.ours }
  const times = new Map<string, number[]>(Object.keys(starts).map((name) => [name, []]))
  for (let rep = 0; rep < (quick ? 3 : 9); rep += 1)
    for (const [name, start] of Object.entries(starts)) {
      const contender = await start()
      times.get(name)?.push(contender.startMs)
      await contender.close()
    }
  return {
    title: 'MCP: from start to the first response',
    rows: Object.keys(starts).map((name) => ({
      name,
      median: median(times.get(name) ?? []),
      unit: 'ms',
      ...(name === SERVER ? {} : { ratio: `adds ${added(times, name, SERVER).toFixed(0)} ms` }),
    })),
    notes,
  }
}

function row(times: TurnTimes, name: string, what: string): BenchRow {
  const more = name === SERVER ? {} : { ratio: `adds ${added(times, name, SERVER).toFixed(3)} ms` }
  return { name: `${what}: ${name}`, median: median(times.get(name) ?? []) * 1e6, unit: 'ns', ...more }
}

function throughput(times: TurnTimes, name: string): BenchRow {
  const share = 1 / ratio(times, name, SERVER)
  const figures = {
    name: `32 in flight, calls per second: ${name}`,
    median: Math.round(1000 / median(times.get(name) ?? [])),
    unit: 'calls' as const,
  }
  if (name === SERVER) return figures
  const compared = { ...figures, ratio: `${(share * 100).toFixed(0)} % of the server’s own` }
  return name === OURS ? { ...compared, target: `≥ ${LEAST_SHARE * 100} %`, ok: share >= LEAST_SHARE } : compared
}

/** In front of a server that does nothing the share is at its minimum: printed without a target. */
function bareThroughput(times: TurnTimes, name: string): BenchRow {
  const { target: _, ok: __, ...told } = throughput(times, name)
  return { ...told, name: told.name.replace('32 in flight', '32 in flight, a server that does nothing') }
}

/** The peak memory of a process as reported by the system; Linux only. */
function peakMb(contender: McpContender | undefined): number {
  try {
    const status = readFileSync(`/proc/${contender?.pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024
  } catch {
    return Number.NaN
  }
}

if (import.meta.main) for (const table of await benchMcp({ quick: true })) console.log(formatText(table))
