import { describe, expect, it } from 'vitest'
import { decompose } from '../decompose.ts'
import type { CommandPart } from '../model/decomposition.ts'
import { findVerb, hasFlag } from './subcommand.ts'

function part(source: string): CommandPart {
  const [first] = decompose(source).parts
  if (first === undefined) throw new Error('no command')
  return first
}

describe('a subcommand', () => {
  it.each([
    ['git push -f', 'push'],
    ['git -C x -c a=b --git-dir=/g push', 'push'],
    ['git --no-pager log', 'log'],
    ['kubectl -n prod --context c delete pod x', 'delete'],
    ['kubectl --namespace=prod get pods', 'get'],
    ['docker -H tcp://h --debug run x', 'run'],
    ['podman --log-level debug rm x', 'rm'],
    ['terraform -chdir=infra apply', 'apply'],
    ['tofu plan', 'plan'],
    ['aws --profile p --region r s3 rm x', 's3'],
    ['gcloud --project p compute list', 'compute'],
    ['az --subscription s group delete', 'group'],
    ['gh -R o/r pr merge', 'pr'],
    ['npm --prefix x run build', 'run'],
    ['yarn --cwd x build', 'build'],
    ['pnpm --filter a test', 'test'],
    ['helm -n a upgrade x', 'upgrade'],
    ['cargo +nightly --color always build', 'build'],
    ['systemctl --user -t service stop x', 'stop'],
    ['apt-get -y -o a=b install x', 'install'],
    ['mytool deploy --now', 'deploy'],
  ])('of %s is %s', (source, verb) => {
    const found = findVerb(part(source))
    expect(found.kind === 'verb' && found.verb).toBe(verb)
  })

  it.each(['git', 'git --version', 'ls'])('is absent in %s', (source) => {
    expect(findVerb(part(source))).toEqual({ kind: 'none' })
  })

  it.each(['git $x push', 'git --invented x push', 'mytool --flag deploy', '$x push', 'git * push'])(
    'is unknown in %s',
    (source) => {
      expect(findVerb(part(source))).toEqual({ kind: 'unknown' })
    },
  )

  it('leaves the words after it', () => {
    const found = findVerb(part('git -C x push -f origin'))
    expect(found.kind === 'verb' && found.rest.map((word) => word.value)).toEqual(['-f', 'origin'])
  })
})

describe('a flag', () => {
  it.each([
    ['rm -rf x', '-f', 'yes'],
    ['rm -rf x', '-r', 'yes'],
    ['rm x -f', '-f', 'yes'],
    ['rm -r x', '-f', 'no'],
    ['rm -- -f', '-f', 'no'],
    ['rm --force x', '--force', 'yes'],
    ['rm --recurs x', '--recursive', 'yes'],
    ['rm --r x', '--recursive', 'unknown'],
    ['git push --force-with-lease', '--force', 'no'],
    ['curl --request=DELETE x', '--request', 'yes'],
    ['find . -delete', '-delete', 'yes'],
    ['find . -delete', '-d', 'no'],
    ['terraform apply -auto-approve', '-a', 'no'],
    ['rm $x', '-f', 'unknown'],
    ['rm "$x"', '-f', 'unknown'],
    ['rm "./$x"', '-f', 'no'],
    ['rm src/$x', '-f', 'no'],
    ['rm -f $x', '-f', 'yes'],
    ['$x -f', '-f', 'yes'],
    ['$x', '-f', 'unknown'],
    ['rm -', '-f', 'no'],
  ])('%s, %s: %s', (source, flag, answer) => {
    expect(hasFlag(part(source), flag)).toBe(answer)
  })
})
