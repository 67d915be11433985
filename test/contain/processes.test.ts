import { execFileSync, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containedWorld, describeContained, NOBODY, RUNNERS } from '@countersign/testing/contain/contained'
import { isAlive } from '@countersign/testing/process-alive'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const SECRET = ['tok', 'en-of', 'another-process'].join('-')

const FILES = 'for i in $(seq 3900); do : > $i; done'

/** A process outside, of the account that runs the command, with a secret in its environment. */
function outsider(uid: number | undefined): number {
  const child = spawn('/bin/sleep', ['600'], { env: { SECRET }, ...(uid === undefined ? {} : { uid, gid: uid }) })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

describeContained('processes', () => {
  describe.each(RUNNERS)('as %s', (runner) => {
    const uid = runner === 'another user' ? NOBODY : undefined

    it('sees no other process, nor its environment', async () => {
      const world = containedWorld(runner)
      const pid = outsider(uid)
      const ended = await world.run(
        `cat /proc/*/environ /proc/${pid}/environ /proc/*/task/*/environ | tr '\\0' '\\n'; ps -ef | wc -l; ls /proc | grep -c '^[0-9]'`,
        { env: { ...process.env, GATE_SECRET: SECRET } },
      )
      expect(ended.output).not.toContain(SECRET)
      expect(Number(ended.output.trim().split('\n').at(-1))).toBeLessThan(10)
    })

    it('signals and traces no other process', async () => {
      const world = containedWorld(runner)
      const pid = outsider(uid)
      await world.run(`kill -KILL ${pid}; kill -KILL -1; kill -KILL ${process.pid}; cat /proc/${pid}/mem; true`)
      expect(isAlive(pid)).toBe(true)
    })

    it('inherits no descriptor, also not a high one', async () => {
      const world = containedWorld(runner)
      const ended = await world.run('for f in /proc/self/fd/*; do readlink $f; done; ls /proc/self/fd')
      for (const line of ended.output.split('\n'))
        if (line.startsWith('/')) expect(line).toMatch(/^\/dev\/null$|^\/proc\//)
    })

    it('gets no descriptor that whoever started the gate left open', async () => {
      const world = containedWorld(runner)
      const kept = join(world.root, 'kept')
      writeFileSync(kept, 'kept', { mode: 0o666 })
      const script = join(world.root, 'gate.mjs')
      writeFileSync(
        script,
        `import { runContained } from ${JSON.stringify(join(import.meta.dirname, '../../packages/node/src/contain/run-contained.ts'))}
        const command = 'for n in 7 97 251; do cat <&$n; echo x >&$n; ls /proc/self/fd/$n/; echo x > /proc/self/fd/$n/new; echo x > /proc/self/fd/$n; done; true'
        const bounds = { workspace: 'write', write: [], read: [], network: [], credentials: [] }
        const ended = await runContained({ command }, { cwd: ${JSON.stringify(world.workspace)}, places: ${JSON.stringify(world.places)}, bounds, stdio: 'pipe', onOutput: (_, chunk) => process.stdout.write(chunk) })
        console.log(ended.how)`,
      )
      const stdio: (string | number)[] = ['ignore', 'pipe', 'inherit']
      while (stdio.length < 252) stdio.push('ignore')
      for (const fd of [7, 97]) stdio[fd] = openSync(kept, 'r+')
      stdio[251] = openSync(world.root, 'r')
      const child = spawn(process.execPath, ['--conditions=countersign-source', script], { stdio: stdio as never })
      let output = ''
      child.stdout?.on('data', (chunk) => {
        output += chunk
      })
      await new Promise((resolve) => child.once('close', resolve))
      expect(output).toContain('exited')
      expect(output).not.toContain('kept')
      expect(readFileSync(kept, 'utf8')).toBe('kept')
      expect(existsSync(join(world.root, 'new'))).toBe(false)
    })

    it('leaves nothing running', async () => {
      const world = containedWorld(runner)
      await world.run(
        '(setsid nohup sh -c "while :; do date +%N > beat; sleep 0.02; done" >/dev/null 2>&1 &) ; until test -s beat; do :; done',
      )
      const last = readFileSync(join(world.workspace, 'beat'), 'utf8')
      await world.run('sleep 0.2')
      expect(readFileSync(join(world.workspace, 'beat'), 'utf8')).toBe(last)
    })

    it('ends in time, whatever it ignores', async () => {
      const world = containedWorld(runner)
      const ended = await world.run(
        'trap "" TERM INT HUP; (setsid sh -c "trap \\"\\" TERM; while :; do date +%N > beat; sleep 0.02; done" &); while :; do :; done',
        { timeoutMs: 600 },
      )
      expect(ended.how).toBe('timed-out')
      const { mtimeMs } = statSync(join(world.workspace, 'beat'))
      await world.run('sleep 0.2')
      expect(statSync(join(world.workspace, 'beat')).mtimeMs).toBe(mtimeMs)
    })

    it('ends when its caller goes away', async () => {
      const world = containedWorld(runner)
      const abort = new AbortController()
      const running = world.run('echo started > started; sleep 600', { signal: abort.signal })
      await until('the command to start', () => existsSync(join(world.workspace, 'started')))
      abort.abort()
      expect(await running).toMatchObject({ how: 'aborted' })
    })

    it('is stopped when it starts too many processes', async () => {
      const world = containedWorld(runner)
      const ended = await world.run('for i in $(seq 400); do sleep 100 & done; wait', {
        limits: { processes: 40 },
        timeoutMs: 20_000,
      })
      // Root has no limit of processes in the kernel: its sandbox is stopped instead.
      if (runner === 'this user' && process.getuid?.() === 0) expect(ended.sandbox.stopped).toBe('processes')
      else expect(ended.output).toMatch(/fork: (?:retry: )?Resource temporarily unavailable/)
    })

    it('is stopped when it uses too much memory', async () => {
      const world = containedWorld(runner)
      const hog = `perl -e '$x = "a" x (1 << 20); for (1..4000) { push @x, $x . $_ } sleep 100'`
      const ended = await world.run(`${hog} & ${hog} & wait; echo over`, {
        limits: { memoryBytes: 200 * 2 ** 20 },
        timeoutMs: 20_000,
      })
      expect(ended.sandbox.stopped === 'memory' || /Out of memory|over/.test(ended.output)).toBe(true)
      expect(ended.how).toBe('exited')
    })

    it('does not fill memory through its temporary folders, nor a disk with one file', async () => {
      const world = containedWorld(runner)
      const ended = await world.run(
        'for d in /var /run; do head -c 100M /dev/zero > $d/x && echo filled $d; rm -f $d/x; done; head -c 3M /dev/zero > big && echo filled big; true',
        { limits: { fileBytes: 2 ** 20 } },
      )
      expect(ended.output).not.toContain('filled')
      expect(statSync(join(world.workspace, 'big')).size).toBeLessThanOrEqual(2 ** 20)
    })

    it.skipIf(process.getuid?.() !== 0)('is stopped when it fills a disk, or makes too many files', async () => {
      const world = containedWorld(runner)
      execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64m,nr_inodes=4000', 'tmpfs', world.workspace])
      onTestFinished(() => void execFileSync('/bin/umount', ['-l', world.workspace]))
      const limits = { freeDiskBytes: 32 * 2 ** 20, freeFiles: 3000 }
      const commands = ['for i in $(seq 60); do head -c 1M /dev/zero > $i; sleep 0.02; done', FILES]
      for (const command of commands) {
        const ended = await world.run(`${command}; sleep 100`, { limits, timeoutMs: 20_000 })
        expect(ended.sandbox).toMatchObject({ stopped: 'disk' })
        execFileSync('find', [world.workspace, '-mindepth', '1', '-delete'])
      }
    })

    it('is stopped when it prints without end', async () => {
      const ended = await containedWorld(runner).run('yes', { limits: { outputBytes: 2 ** 20 } })
      expect(ended.sandbox).toMatchObject({ stopped: 'output', line: expect.stringContaining('printed too much') })
      expect(ended.output.length).toBeLessThanOrEqual(2 ** 20)
    })
  })
})
