// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, it } from 'vitest'
import { decompose } from '../decompose.ts'

const isMisread = (source: string) =>
  decompose(source).problems.some(({ message }) => message.includes('parses differently'))

describe('text that bash parses differently', () => {
  it.each([
    'echo 2>(rm x)',
    'echo 2<(rm x)',
    'echo "$(cat f 12>(rm x))"',
    'for f in 2>(rm x); do ls; done',
    'a=(2>(rm x))',
    '[[ -f 2>(rm x) ]]',
    'echo {fd}>(rm x)',
    "bash -c 'echo 2>(rm x)'",
    'cat 2>&-x f',
    'cat <&-x',
    'cat 2>&-$x f',
    "echo >&'$(rm x)'",
    "echo >&$'\\x24(rm x)'",
    'echo >&\\$\\(rm\\)',
    "echo >&'2-'",
  ])('is a problem: %s', (source) => {
    expect(isMisread(source)).toBe(true)
  })

  it.each([
    'echo \'2>(x)\' "2>(x)" 2\\>\\(x\\) a\\ b',
    "cat <<E\n2>(x) `a` 'b'\nE",
    'cat <(ls) >(wc) 2>&1 3>&2- 2>&- <&-',
    '[[ x =~ (a|b)<? ]] && [[ a == @(b|c) ]]',
    'case x in (a|b) ls;; @(c|d)) ls;; esac',
    'x=1; echo "${x:-a b;c}" ${x:-a b} ${x/a(b)/c}',
    'a[1<2]=3',
    'echo >&"$x" >&"out.txt" >& out.txt',
    'echo $ a$ 5%',
    'echo "${x#2>(}"',
  ])('is none: %s', (source) => {
    expect(isMisread(source)).toBe(false)
  })
})
