import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCrypto } from '@countersign/node'
import { describe, expect, it } from 'vitest'
import { startOAuthServers } from './oauth-servers.fixture.ts'
import { openSignInStore } from './sign-in-store.ts'
import { fileOf, signInAt, signInHome } from './signed-in.fixture.ts'
import { openStoredBearer } from './stored-bearer.ts'

/** A person who is signed in, with their own home. */
async function signedIn(expiresIn = 3600) {
  const servers = await startOAuthServers()
  servers.behaviour.expiresIn = expiresIn
  const at = signInHome(servers)
  const kept = await signInAt(servers)
  await at.store.withLock(async () => at.store.write(kept))
  return { servers, kept, ...at }
}

describe('a server’s token', () => {
  it('is read from the home, and again after a new sign-in or sign-out', async () => {
    const { servers, kept, store, bearer } = await signedIn()
    const proxy = bearer()
    expect(await proxy.current()).toBe(kept.accessToken)
    const other = await signInAt(servers)
    await store.withLock(async () => store.write(other))
    expect(await proxy.replacement(kept.accessToken)).toBe(other.accessToken)
    await store.withLock(async () => store.remove())
    expect(await proxy.replacement(other.accessToken)).toBeNull()
    expect(proxy.advice()).toMatch(/^sign in first: run `countersign mcp sign-in`/)
    expect(servers.renewals()).toBe(0)
  })

  it('is renewed before it expires, once for all who need it at that moment', async () => {
    const { servers, kept, store, bearer } = await signedIn(0.001)
    servers.behaviour.expiresIn = 3600
    const proxy = bearer()
    const got = await Promise.all([proxy.current(), proxy.current(), proxy.replacement(kept.accessToken)])
    expect(new Set(got)).toEqual(new Set([store.read()?.accessToken]))
    expect(got[0]).not.toBe(kept.accessToken)
    expect(servers.renewals()).toBe(1)
  })

  it('is renewed by one of several processes, and the others find it', async () => {
    const { servers, kept, bearer, said } = await signedIn()
    const first = Promise.withResolvers<void>()
    servers.behaviour.gives = first.promise
    servers.expireAll()
    const proxies = Array.from({ length: 4 }, bearer)
    const got = proxies.map((proxy) => proxy.replacement(kept.accessToken))
    await expect.poll(() => servers.renewals()).toBe(1)
    first.resolve()
    const [one, ...others] = await Promise.all(got)
    expect(others).toEqual([one, one, one])
    expect(servers.live.has(one ?? '')).toBe(true)
    expect(servers.renewals()).toBe(1)
    expect(said).toEqual([])
  })

  it('ends if it cannot be renewed: reported once, without further requests', async () => {
    const { servers, kept, store, bearer, said } = await signedIn()
    servers.revokeAll()
    const [one, two] = [bearer(), bearer()]
    for (const proxy of [one, one, two]) expect(await proxy.replacement(kept.accessToken)).toBeNull()
    expect(one.advice()).toMatch(/^the sign-in expired; sign in first: run `countersign mcp sign-in`/)
    expect(servers.renewals()).toBe(1)
    expect(store.read()?.refreshToken).toBeNull()
    expect(said).toHaveLength(2)
  })

  it('is kept if the authorization server fails, with the reason why it was not renewed', async () => {
    const { servers, kept, store, bearer } = await signedIn()
    servers.expireAll()
    servers.behaviour.isDown = true
    const proxy = bearer()
    expect(await proxy.replacement(kept.accessToken)).toBeNull()
    expect(await proxy.replacement(kept.accessToken)).toBeNull()
    expect(servers.renewals()).toBe(1)
    expect(proxy.advice()).toMatch(/issued no token/)
    expect(store.read()).toEqual(kept)
    servers.behaviour.isDown = false
    expect(await bearer().replacement(kept.accessToken)).toMatch(/^access-/)
  })

  it('is not renewed repeatedly for a server that refuses it anyway', async () => {
    const { servers, kept, bearer } = await signedIn()
    const proxy = bearer()
    const renewed = await proxy.replacement(kept.accessToken)
    expect(await proxy.replacement(renewed)).toBeNull()
    expect(await proxy.replacement(renewed)).toBeNull()
    expect(proxy.advice()).toMatch(/although it was just renewed/)
    expect(servers.renewals()).toBe(1)
  })

  it('is renewed again when an accepted token expires', async () => {
    const { servers, kept, bearer } = await signedIn()
    const proxy = bearer()
    const renewed = (await proxy.replacement(kept.accessToken)) ?? ''
    proxy.accepted(renewed)
    servers.expireAll()
    expect(servers.live.has((await proxy.replacement(renewed)) ?? '')).toBe(true)
  })

  it('is not used before it is stored, and a failed write does not lose it', async () => {
    const { servers, home, kept, store, bearer } = await signedIn()
    const asked = Promise.withResolvers<void>()
    servers.behaviour.gives = asked.promise
    const proxy = bearer()
    const first = proxy.replacement(kept.accessToken)
    await expect.poll(() => servers.renewals()).toBe(1)
    const path = fileOf(home)
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    mkdirSync(join(path, 'in the way'), { recursive: true })
    asked.resolve()
    expect(await first).toBeNull()
    expect(proxy.advice()).toMatch(/the renewed sign-in cannot be stored \(E\w+\).*or run/)
    rmSync(path, { recursive: true })
    writeFileSync(path, text, { mode: 0o600 })
    const renewed = await proxy.replacement(kept.accessToken)
    expect(servers.live.has(renewed ?? '')).toBe(true)
    expect(store.read()?.accessToken).toBe(renewed)
    expect(servers.renewals()).toBe(1)
    expect(await bearer().replacement(renewed)).toMatch(/^access-/) // by the stored refresh token
  })
})

describe('the file of a sign-in', () => {
  it('is private, sealed, and used for its own server only', async () => {
    const { servers, home, kept, store } = await signedIn()
    const folder = join(home.dir, 'mcp')
    const files = readdirSync(folder).map((name) => join(folder, name))
    expect(files).toHaveLength(2)
    for (const path of [folder, ...files]) expect(statSync(path).mode & 0o077).toBe(0)
    const texts = files.map((path) => readFileSync(path, 'latin1')).join('\n')
    for (const secret of servers.secrets) expect(texts).not.toContain(secret)
    const other = openSignInStore(home, new URL('https://evil.example/mcp'), openCrypto(home))
    await other.withLock(async () => other.write(kept))
    expect(() => other.read()).toThrow(/damaged or belongs to another/)
    expect(store.read()).toEqual(kept)
  })

  it('that is damaged, or from another home, provides no token and reports it', async () => {
    const { servers, home, kept, bearer, said } = await signedIn()
    const stranger = signInHome(servers)
    await stranger.store.withLock(async () => stranger.store.write(kept))
    const use = async (proxy: ReturnType<typeof bearer>) => proxy.current()
    for (const text of [readFileSync(fileOf(stranger.home), 'utf8'), '{', '{"version":1,"sealed":"AAAA"}']) {
      writeFileSync(fileOf(home), text)
      const proxy = bearer()
      await expect(use(proxy)).rejects.toThrow(/damaged or belongs to another home.*countersign mcp sign-in/)
      expect(proxy.cached()).toBeUndefined()
      expect(await proxy.replacement(null)).toBeNull()
      expect(proxy.advice()).toMatch(/damaged or belongs to another home.*countersign mcp sign-in/)
    }
    expect(said).toHaveLength(3)
    expect(said.join()).not.toContain('access-')
  })

  it('is not read if no token may be sent', () => {
    const { home } = signInHome({ server: 'https://mcp.example/mcp' })
    const url = new URL('http://mcp.example/mcp')
    expect(openStoredBearer({ home, crypto: openCrypto(home), url, command: '' })).toBeNull()
  })
})
