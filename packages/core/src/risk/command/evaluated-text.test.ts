// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, it } from 'vitest'
import { rateShell } from '../fixture.mts'
import { eachIsRated } from '../programs/level-rows.mts'

describe('text that bash evaluates', () => {
  eachIsRated(
    'none',
    `echo $((1+2))
    for ((i=0;i<3;i++)); do echo $i; done
    [[ $# -lt 2 ]]
    [[ \${#a[@]} -gt 0 ]]
    [[ $(wc -l < a.txt) -gt 3 ]]
    ((i++))
    sleep $((60*2))
    echo \${BASH_REMATCH[1]} \${x:1:2} \${x: -4}
    read -r a b <<< "1 2"; echo $((a+b))
    [[ -v HOME ]]
    declare -A m; echo \${m[$k]}
    unset TOKEN
    f() { echo $(( $1 + 1 )); }; f 3
    wc -l < f | while read -r n; do :; done`,
  )
  eachIsRated(
    'low',
    `i=0; while ((i<3)); do ((i++)); done
    i=0; while [ $i -lt 5 ]; do printf .; i=$((i+1)); done
    n=$(grep -c x f); if [[ $n -gt 3 ]]; then echo big; fi
    n=$(ls | wc -l | tr -d ' '); echo $((n/2))
    now=$(date +%s); echo $((now - 5))
    for f in a b; do n=$((n+1)); done; echo $n
    x=(a b c); echo \${x[1]}
    . ./env.sh; echo $((port + 1))
    declare -i n=5; n+=1`,
  )
  eachIsRated(
    'medium',
    `x=$(cat f); echo $((x))
    while read -r n; do sum=$((sum + n)); done < numbers.txt
    declare -i n="$X"
    unset "$X"
    printf -v "$X" 1
    [[ $X -lt 3 ]]
    echo \${!X}
    echo \${a[$X]}
    for f in *; do echo $((f)); done
    x=$(cat f); [ $x ]
    declare -i x='a[$(id)]'`,
  )
  eachIsRated(
    'critical',
    `x='a[$(rm -rf ~)]'; ((x))
    declare -i x='a[$(rm -rf ~)]'
    x=1; y='a[$(rm -rf ~)]'; echo \${x:y}
    mapfile -C 'rm -rf ~' -c 1 a
    PS4='$(rm -rf ~)'; set -x`,
  )

  it('names the variable whose value is unknown', () => {
    const { reasons } = rateShell('[[ $LIMIT -lt 3 ]]')
    expect(reasons).toContainEqual(
      expect.objectContaining({ rule: 'shell.evaluated', text: 'evaluates `$LIMIT`, which can run commands' }),
    )
  })
})
