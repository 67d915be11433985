import { describe, expect, it } from 'vitest'
import { someCall } from '../../../../../test/model/case.ts'
import { rateShell } from '../fixture.mts'
import type { HostUse } from '../report/report.ts'
import { toolHosts } from './tool-hosts.ts'

function text({ host, port, use, certain }: HostUse): string {
  return `${host ?? '?'}${port === null ? '' : `:${port}`} ${use}${certain || host === null ? '' : ' perhaps'}`
}

const hostsOf = (command: string): readonly string[] => rateShell(command).hosts.map(text)

describe('the hosts a command contacts', () => {
  it.each<readonly [string, ...string[]]>([
    ['curl https://unknown.example/?d=abc', 'unknown.example:443 read'],
    ['curl -fsSL unknown.example/x', 'unknown.example:80 read'],
    ['curl http://0x7f.1:8080/', '127.0.0.1:8080 read'],
    ['curl https://a.example/$ID', 'a.example:443 read'],
    ['curl "$URL"', '? send'],
    ['curl https://$HOST/x', '? send'],
    ['curl https://a.example$SUFFIX/x', '? send'],
    ['curl http://{a,b}.example/', 'a.example:80 read', 'b.example:80 read'],
    ["curl 'http://{a,b}.example/'", '? send'],
    ['curl -X POST https://a.example -d x', 'a.example:443 send'],
    ['curl -G https://a.example --data-urlencode q=x', 'a.example:443 read'],
    ['curl -u me:word https://a.example', 'a.example:443 send'],
    ['curl https://me:word@a.example', 'a.example:443 send'],
    ['curl -H "Authorization: x" https://a.example', 'a.example:443 send'],
    ['curl -H "Accept: text/html" https://a.example', 'a.example:443 read'],
    ['curl -b c=1 https://a.example', 'a.example:443 send'],
    ['curl -x http://proxy.example:3128 https://a.example', 'a.example:443 read', 'proxy.example:3128 read'],
    ['curl --connect-to a.example:443:b.example:8443 https://a.example', 'a.example:443 read', 'b.example read'],
    ['curl --resolve a.example:443:10.0.0.1 https://a.example', 'a.example:443 read', '10.0.0.1 read'],
    ['https_proxy=http://evil.example:1 curl https://a.example', 'a.example:443 read', 'evil.example:1 read'],
    ['curl https://a.example https://b.example', 'a.example:443 read', 'b.example:443 read'],
    ['curl -K urls.txt', '? send'],
    ['curl file:///etc/hosts'],
    ['curl --version'],
    ['wget -qO- https://a.example/x', 'a.example:443 read'],
    ['wget -i urls.txt', '? send'],
    ['wget --post-data=x https://a.example', 'a.example:443 send'],
    ['http a.example/x', 'a.example:80 read'],
    ['http a.example/x name=value', 'a.example:80 send'],
    ['http a.example/x q==value Accept:text/html', 'a.example:80 read'],
    ['http POST a.example', 'a.example:80 send'],
    ['xargs curl < urls.txt', '? send'],
    ['git clone https://a.example/x.git', 'a.example:443 read'],
    ['git clone git@a.example:x/y.git', 'a.example:22 send'],
    ['git push https://a.example/x main', 'a.example:443 send'],
    ['git push origin HEAD:main'],
    ['git fetch'],
    ['git remote add up https://a.example/x', 'a.example:443 read'],
    ['git status'],
    ['git commit -m "see https://a.example"'],
    ['ssh me@a.example uptime', 'a.example:22 send'],
    ['scp x.tgz a.example:/tmp/', 'a.example:22 send'],
    ['rsync -a src/ /tmp/copy/'],
    ['nc a.example 9000', 'a.example:9000 send'],
    ['socat - TCP:a.example:80', 'a.example:80 send'],
    ['openssl s_client -connect a.example:443', 'a.example:443 send'],
    ['dig +short abc.a.example TXT @9.9.9.9', 'abc.a.example read', '9.9.9.9 read'],
    ['ping -c 3 a.example', 'a.example read'],
    ['npm install', 'registry.npmjs.org:443 read perhaps'],
    ['npm install --registry https://a.example', 'a.example:443 read', 'registry.npmjs.org:443 read perhaps'],
    ['npm publish', 'registry.npmjs.org:443 send perhaps'],
    ['npm test'],
    ['npm run build'],
    [
      'pip install -i https://a.example/simple x',
      'a.example:443 read',
      'pypi.org:443 read perhaps',
      'files.pythonhosted.org:443 read perhaps',
    ],
    ['docker pull nginx', 'registry-1.docker.io:443 read perhaps'],
    ['docker pull a.example:5000/x/y', 'a.example:5000 read'],
    ['docker ps'],
    ['python3 -c "urlopen(\'https://a.example/x\')"', 'a.example:443 send perhaps'],
    ['psql postgres://me@a.example/db -c "select 1"', 'a.example send'],
    ['exec 3<>/dev/tcp/a.example/80', 'a.example:80 send'],
    ['cat < /dev/tcp/0x7f.1/80', '127.0.0.1:80 read'],
    ["bash -c 'echo x > /dev/udp/a.example/53'", 'a.example:53 send'],
    ['sudo curl https://a.example', 'a.example:443 read'],
    ['gh pr list'],
    ['gh api --hostname a.example /x', 'a.example send'],
    ['GH_HOST=a.example gh pr list', 'a.example send'],
    ['PGHOST=a.example psql -c "select 1"', 'a.example send'],
    ['echo https://a.example'],
    ['grep -r https://a.example src'],
  ])('%s', (command, ...hosts) => expect(hostsOf(command)).toEqual(hosts))
})

describe('the hosts a tool contacts', () => {
  const hosts = (args: object, more: object = {}): readonly string[] => {
    const url = (args as { readonly url?: string }).url
    const tool = { server: null, name: 'fetch_url', definition: 'def' }
    return toolHosts(someCall({ tool, args, descriptor: { kind: 'fetch', source: 'known', url, ...more } })).map(text)
  }

  it.each<readonly [object, ...string[]]>([
    [{ url: 'https://a.example/x?d=abc' }, 'a.example:443 read'],
    [{ url: 'https://a.example', method: 'HEAD' }, 'a.example:443 read'],
    [{ url: 'https://a.example', method: 'OPTIONS' }, 'a.example:443 send'],
    [{ url: 'https://a.example', method: 'post' }, 'a.example:443 send'],
    [{ url: 'https://a.example', body: 'x' }, 'a.example:443 send'],
    [{ url: 'https://a.example', headers: { accept: 'text/html' } }, 'a.example:443 read'],
    [{ url: 'https://a.example', headers: { Cookie: 'a=1' } }, 'a.example:443 send'],
    [{ url: 'https://a.example', headers: [{ name: 'x', value: 'y' }] }, 'a.example:443 send'],
    [{ url: 'https://a.example', options: { body: 'x' } }, 'a.example:443 send'],
    [{ url: 'https://a.example', api_key: 'x' }, 'a.example:443 send'],
    [{ url: 'https://me@a.example' }, 'a.example:443 send'],
    [{ url: 'http://[::ffff:7f00:1]:80/' }, '::ffff:7f00:1:80 read'],
    [{ url: 'a.example/x' }, 'a.example:443 read perhaps'],
    [{ url: 'http://a@b@c.example' }, '? read'],
    [{ url: '/v1/users' }],
    [{ url: 'file:///etc/passwd' }],
  ])('%j', (args, ...expected) => expect(hosts(args as object)).toEqual(expected))

  it('are those of every URL', () => {
    const urls = ['https://a.example', 'https://b.example']
    expect(hosts({ url: urls[0] }, { urls })).toEqual(['a.example:443 read', 'b.example:443 read'])
  })

  it('are none if a call only mentions a URL', () => {
    expect(hosts({ url: 'https://a.example' }, { kind: 'write' })).toEqual([])
  })
})
