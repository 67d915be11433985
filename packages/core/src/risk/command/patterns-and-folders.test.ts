// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, it } from 'vitest'
import { PLACES, rateShell } from '../fixture.mts'
import { eachIsRated } from '../programs/level-rows.mts'

describe('a pattern, an unknown word or an unknown folder', () => {
  eachIsRated(
    'none',
    `cat *.md
    ls src/**/*.ts
    cat ~+/a.txt
    cat docs/{guides,reference}/*.md
    ls ../*
    cd ../other-project && ls`,
  )
  eachIsRated(
    'low',
    `cat ../*/README.md
    cat "$FILE"
    cd "$DIR" && cat README.md
    cd "$DIR" && cat config
    cd ../lib* && cat package.json
    cat ~/*/*`,
  )
  eachIsRated(
    'medium',
    `rm dist/*.js
    cat "$DIR/.env"`,
  )
  eachIsRated(
    'high',
    `cat ../.ss*/id_rsa
    cd ../.s*h; cat id_rsa
    cd ../s*h; cat id_rsa
    cd ..; cat .ss*/id*
    cd "$X" && cat id_*
    cd "$X"; cat server.key
    cat "$X/id_rsa"
    cat $OLDPWD/id_rsa
    cat ~-/id_rsa
    cd -; cat id_rsa
    cat \${HOME%/*}/you/.ssh/id_rsa
    cat ../{.ssh,x}/id_{rsa,dsa}
    shopt -s extglob; cat ~/.@(ssh|aws)/*
    shopt -s dotglob; cat ~/*/id_rsa
    cp ../.ss*/* .
    cat < ../.ss*/id_rsa
    cat /h*/*/.ssh/id*
    for f in ../.s*/id_rsa; do cat "$f"; done`,
  )
  eachIsRated(
    'critical',
    `cat ../.c*/keys/*
    cd ../.c*; cat keys/approver.key
    countersign appr* abc
    countersign {approve,x} abc
    c*tersign approve abc`,
  )

  it('reaches the home of the gate wherever it is', () => {
    const world = { places: { ...PLACES, gate: '/home/you/home' }, resolved: new Map() }
    for (const command of ['cat ../ho*/keys/*', 'cd ../ho*; cat keys/approver.key', 'cd ../h*e && cat keys/*'])
      expect(rateShell(command, world).level, command).toBe('critical')
  })
})
