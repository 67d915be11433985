import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { openReceiver } from '@countersign/testing/notify/receiver'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function newHome() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  mkdirSync(home, { mode: 0o700 })
  const file = join(home, 'notify.yaml')
  return {
    cwd,
    file,
    run: (...words: readonly string[]) => runInProcess(['notify', ...words], { cwd, home }),
    text: () => readFileSync(file, 'utf8'),
  }
}

describe('countersign notify', () => {
  it('adds, lists and removes channels, and shows no secret of them', async () => {
    const { cwd, file, run, text } = newHome()
    writeFileSync(join(cwd, 'token'), 'tk_hidden\n')
    expect((await run('add', 'ntfy', 'https://ntfy.home.example/gate', '--token-file', 'token')).stdout).toBe(
      'added ntfy\n',
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(text()).toContain('token: tk_hidden')
    await run('add', 'desktop', '--from', 'high', '--name', 'screen')
    expect((await run('add', 'ntfy', 'https://ntfy.sh/second-topic')).stdout).toBe('added ntfy-2\n')
    const { stdout } = await run('list')
    expect(stdout).toMatch(/^ntfy +https:\/\/ntfy\.home\.example\/gat… +every call$/m)
    expect(stdout).toMatch(/^screen +this desktop +from high$/m)
    expect(stdout).not.toMatch(/tk_hidden|second-topic/)
    expect((await run('remove', 'ntfy-2')).stdout).toBe('removed ntfy-2\n')
    expect((await run('remove', 'ntfy-2')).stderr).toContain('no channel `ntfy-2`')
    expect(Object.keys((await run('list', '--json')).json() as object)).toEqual(['settings', 'channels', 'problems'])
  })

  it('makes the secret of a webhook, shows it once, and takes one from a file', async () => {
    const { cwd, run, text } = newHome()
    const { stdout, stderr } = await run('add', 'webhook', 'https://hooks.example/x', '--ed25519')
    const [, secret = ''] = /^secret: (whsec_\S+)$/m.exec(stdout) ?? []
    expect(text()).toContain(secret)
    expect(stdout).toMatch(/^public key: whpk_\S+$/m)
    expect(stderr).toContain('it is not shown again')
    expect((await run('list')).stdout).not.toContain(secret)
    writeFileSync(join(cwd, 'secret'), secret)
    const again = await run('add', 'webhook', 'https://hooks.example/y', '--secret-file', 'secret')
    expect(again.stdout).toBe('added webhook-2\n')
  })

  it('keeps the comments of the file, and refuses to change one that it cannot read', async () => {
    const { file, run, text } = newHome()
    writeFileSync(file, '# mine\nversion: 1\nfrom: low # not the rest\n', { mode: 0o600 })
    await run('quiet', '22:00-07:00', '--except', 'critical,reminder')
    await run('set', 'reminder', '2m')
    expect(text()).toContain('# mine')
    expect(text()).toContain('# not the rest')
    expect((await run('list')).stdout).toContain('quiet hours: 22:00-07:00, only critical calls and last reminders')
    await run('quiet', 'off')
    expect(text()).not.toContain('quiet')
    writeFileSync(file, 'version: 1\nfrom: [\n')
    const broken = await run('set', 'from', 'high')
    expect(broken).toMatchObject({ code: 125, stderr: expect.stringMatching(/notify\.yaml:\d+:\d+: .*\[CS_NOTIFY\]/) })
    expect(text()).toBe('version: 1\nfrom: [\n')
  })

  it.each([
    [['add', 'ntfy', 'http://ntfy.example/topic'], /must be https/],
    [['add', 'ntfy', 'https://ntfy.example/'], /must be a server and one topic/],
    [['add', 'webhook', 'https://192.168.0.4/x'], /private network; to use it, pass `--private`/],
    [['add', 'webhook', 'https://169.254.169.254/x', '--private'], /never contacted/],
    [['add', 'webhook', 'https://me:pw@hooks.example/x'], /must not contain a password/],
    [['add', 'webhook'], /needs a URL/],
    [['add', 'pager', 'x'], /choose desktop, ntfy, webhook or push-service/],
    [['add', 'push-service', 'https://x'], /needs a host/],
    [['add', 'desktop', '--name', 'My Phone'], /lower-case/],
    [['add', 'desktop', '--from', 'hihg'], /channels\.desktop\.from/],
    [['quiet', '25:00-07:00'], /must be a range such as 22:00-07:00/],
    [['quiet', '22:00-07:00', '--zone', 'Mars/Base'], /must be a time zone/],
    [['quiet', '22:00-07:00', '--except', 'weekends'], /--except/],
    [['set', 'merge', '3w'], /must be a time/],
    [['set', 'colour', 'red'], /choose from, reminder, merge, details/],
  ])('refuses %j, and writes nothing', async (words, message) => {
    const { run, text } = newHome()
    const ran = await run(...words)
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toMatch(message)
    expect(() => text()).toThrow('ENOENT')
  })

  it('sends a test message through every channel, and exits with 1 if one fails', async () => {
    const { run } = newHome()
    const [fine, broken] = [await openReceiver(), await openReceiver()]
    broken.answer({ status: 500 })
    await run('add', 'ntfy', `${fine.url}/topic`)
    expect(await run('test')).toMatchObject({ code: 0, stdout: 'ntfy: sent\n' })
    await run('add', 'webhook', `${broken.url}/x`)
    const both = await run('test')
    expect(both).toMatchObject({ code: 1, stdout: 'ntfy: sent\nwebhook: failed: answered 500\n' })
    expect((await run('test', 'ntfy')).code).toBe(0)
    expect((await run('test', 'pager')).stderr).toContain('no channel `pager`')
    expect(fine.got.map(({ body }) => body.toString()).join()).toContain('Notifications work.')
  })

  it('shows its status without a service, and says that nothing is sent then', async () => {
    const { run } = newHome()
    expect((await run('status')).stderr).toContain('no channels; add one with `countersign notify add`')
    await run('add', 'desktop')
    const { stdout, stderr } = await run('status')
    expect(stdout).toBe('desktop  this desktop  ready  0 sent\n')
    expect(stderr).toContain('the service is not running')
    expect((await run('status', '--json')).json()).toMatchObject({
      channels: [{ state: 'ready' }],
      dead: [],
      service: null,
    })
  })
})
