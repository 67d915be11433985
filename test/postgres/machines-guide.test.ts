import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { openView, signDecision } from '@countersign/core'
import { connectGate, openApprover, openAskingToken, openHome, type ServiceStatus } from '@countersign/node'
import { findPtyMaker, onTerminal, startOnTerminal } from '@countersign/testing/command/pty'
import { type Ended, endOf, startBash } from '@countersign/testing/command/spawn-cli'
import { type Machine, makeMachine } from '@countersign/testing/postgres/machines'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { openBalancer } from '@countersign/testing/tcp-balancer'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../docs/pages.ts'

const POLICY = `version: 1
rules:
  - { tool: jot, supervision: automatic }
  - { tool: ship, supervision: confirm }
`
const PAGE = 'docs/guides/machines.md'
const maker = findPtyMaker()

/** The lines of the page's `sh` blocks, in order, without comments. */
const linesOfPage = () =>
  blocksOf(PAGE)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => line.replace(/ +# .*$/, ''))

describe.skipIf(missingPostgres() ?? maker === null)(onTerminal('the guide for several machines', maker), () => {
  const server = usePostgres()

  it('works line by line on three machines', async () => {
    if (maker === null) throw new Error('there is no terminal')
    const address = server.freshAddress()
    const [one, two, three] = [makeMachine(POLICY), makeMachine(POLICY), makeMachine(POLICY)]
    const lines = [...linesOfPage()]
    const folderOf = ({ home }: Machine) => dirname(home)

    /** The next line of the page, which must begin so, as this machine types it. */
    function next(begin: string, { home }: Machine): string {
      const line = lines.shift() ?? 'the end of the page'
      expect(line.startsWith(begin), `${line} begins with ${begin}`).toBe(true)
      const own = line.replaceAll(/(^|\$\()countersign /g, `$1countersign --home '${home}' `)
      return own.replace('postgres://gate@db.example/countersign', `'${address}'`)
    }

    const type = (machine: Machine, line: string) => startOnTerminal(line, maker, { cwd: folderOf(machine) })
    async function run(begin: string, machine: Machine): Promise<string> {
      const { code, screen } = await type(machine, next(begin, machine)).ended
      expect([begin, code, screen]).toEqual([begin, 0, screen])
      return screen
    }

    expect(await run('countersign store migrate', one)).toContain('created the tables')
    expect(await run('countersign store use', one)).toContain('now uses this store')
    const joining = type(two, next('countersign gates join', two))
    const [, code = ''] = /\n\s+((?:[a-z0-9]{5}-){3}[a-z0-9]{5})\n/.exec(await joining.shows(/-[a-z0-9]{5}\n/)) ?? []
    const admitting = type(one, next('countersign gates admit', one))
    await admitting.shows('code of the new machine')
    admitting.type(`${code}\r`)
    expect((await admitting.ended).screen).toContain('admitted')
    expect(await joining.ended).toMatchObject({ code: 0, screen: expect.stringContaining('joined the journal') })
    const listing = next('countersign gates list', one)
    for (const machine of [one, two])
      expect((await type(machine, listing.replace(one.home, machine.home)).ended).screen).toContain('this machine')

    // In a script, for the third.
    for (const machine of [one, three]) writeFileSync(join(folderOf(machine), 'code.txt'), 'k7mnp-qr2st-uvwx3-yz456\n')
    writeFileSync(join(folderOf(three), 'address.txt'), `${address}\n`)
    const asked = type(three, next('countersign gates join -', three))
    const admission = next('countersign gates admit --code-fd', one)
    const admitted = await until('the admission', async () => {
      const { code: exit, screen } = await type(one, admission).ended
      return exit === 0 ? screen : undefined
    })
    expect(admitted).toContain('admitted')
    expect((await asked.ended).code).toBe(0)

    // A service on each, behind one address.
    const serving = next('countersign serve', one)
    expect(serving).toContain('--asking-port 4181 --workspace /srv/agents')
    async function serve(machine: Machine) {
      const words = serving
        .replace(`countersign --home '${one.home}'`, `exec countersign --home '${machine.home}'`)
        .replace('4181', '0')
        .replace('/srv/agents', one.workspace)
      const child = startBash(`${words} --port 0 --json`, folderOf(machine), folderOf(machine))
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended: Promise<Ended> = endOf(child)
      const status = await Promise.race([
        new Promise<ServiceStatus>((resolve) => child.stdout?.once('data', (line) => resolve(JSON.parse(line)))),
        ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
      ])
      return { child, ended, status }
    }
    const services = [await serve(one), await serve(two), await serve(three)]
    for (const { status } of services) expect(await readiness(status.url)).toEqual([200, 'ok'])
    const balancer = await openBalancer()
    const ports = services.map(({ status }) => Number(status.askingPort))
    balancer.lead(...ports)
    const tokens = [one, two, three].map(({ home }) => readFileSync(openAskingToken(openHome(home)).path, 'utf8'))
    expect(new Set(tokens).size).toBe(1)
    const gate = await connectGate({
      address: { host: '127.0.0.1', port: balancer.port, token: String(tokens[0]).trim() },
      comesBack: true,
      workspace: one.workspace,
      version: '0.1.0',
    })
    onTestFinished(() => gate.close())
    const held = Promise.withResolvers<string>()
    const answer = gate.ask({ tool: 'ship', args: { n: 1 } }, { onHeld: ({ callId }) => held.resolve(callId) })
    const id = await held.promise
    services[0]?.child.kill('SIGKILL')
    await services[0]?.ended
    balancer.lead(...ports.slice(1))
    const person = await three.open()
    const approver = openApprover(openHome(three.home), { name: 'ana' })
    const view = await until('the held call', () => person.desk.view(id))
    const signed = signDecision(openView(view, person.ports.crypto), { kind: 'approve' }, approver.signer, {
      surface: 'test',
      at: Date.now(),
    })
    expect(await person.desk.decide(id, signed)).toMatchObject({ accepted: true })
    const permit = await answer
    expect(permit).toMatchObject({ kind: 'permit', approvedBy: 'ana' })
    if (permit.kind === 'permit') await gate.settle(permit, 'completed')

    // The third machine watches; the first compares. A gate that is closed signs a checkpoint.
    await person.gate.close()
    await run('countersign journal witness --show-key', three)
    const watching = next('countersign journal witness --out', three)
    await until('a cosigned checkpoint', async () =>
      (await type(three, watching).ended).screen.includes('cosigned entries'),
    )
    for (const file of ['cosigned.txt', 'witness-key.txt'])
      copyFileSync(join(folderOf(three), file), join(folderOf(one), file))
    expect(await run('countersign journal verify --against', one)).toContain('cosigned by the witness')

    const verifying = next('countersign journal verify', one)
    const approvers = next('countersign approvers list', one)
    for (const machine of [one, two, three]) {
      const verified = await type(machine, verifying.replace(one.home, machine.home)).ended
      expect(verified).toMatchObject({ code: 0, screen: expect.stringContaining('intact') })
      expect((await type(machine, approvers.replace(one.home, machine.home)).ended).screen).toContain('ana')
    }
    expect(lines).toEqual([])

    // What the page says about removing a machine.
    const listed = JSON.parse((await one.run('gates', 'list', '--json')).stdout)
    expect((await one.run('gates', 'remove', listed.gates[1].id)).stdout).toContain('removed')
    expect((await two.run('held')).stderr).toContain('was removed')
    await until('another token', () => readFileSync(openAskingToken(openHome(three.home)).path, 'utf8') !== tokens[0])
  }, 240_000)
})

/** What the balancer's check sees, with the name of the inbox as it sends it. */
function readiness(url: string): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL('/ready', url), { headers: { host: 'gate.example' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve([answer.statusCode, text.trim()]))
    })
    asked.on('error', reject).end()
  })
}
