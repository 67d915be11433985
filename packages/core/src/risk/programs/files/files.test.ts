import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('files', () => {
  eachIsRated(
    'none',
    `find . -type f -size +10M
    sed -n '1,20p;/x/p' README.md
    sed 's/[^]/]*$/e/' f
    sed 's/[[:alpha:]/]/x/g;y/[/]/' f
    xxd -l 16 -c 8 app.bin
    awk -F, '$3 > 10 { print $1 }' a.csv
    patch --dry-run -p1 -i x.patch
    unzip -l a.zip
    cat ~/.ssh/id_ed25519.pub`,
  )
  eachIsRated(
    'low',
    `rmdir empty
    mkdir -p ~/.config/tool
    chmod 600 ~/.ssh/id_ed25519
    chmod 755 bin/run
    ln -s ../shared shared
    cp -r src /tmp/copy`,
  )
  eachIsRated(
    'medium',
    `rm notes.txt
    rm -rf notes.txt
    rm -rf node_modules package-lock.json
    rm -rf packages/*/dist
    rm -f *.pyc
    rm -rf /tmp/build-x
    rm -rf ~/.cache/pip
    rm -rf /var/lib/apt/lists/*
    rm -f .git/index.lock
    cp .env.example .env
    mv *.md docs/
    sed -i '' -e 's/1/2/' package.json
    find . -name '*.pyc' -delete
    find . -type d -empty -delete
    find . -name '*.sh' -exec chmod +x {} +
    grep -rl foo src | xargs sed -i 's/foo/bar/g'
    tar -C dist -czf dist.tgz .
    truncate -s 0 /tmp/out.log
    vim README.md`,
  )
  eachIsRated(
    'high',
    `rm -rf src
    rm *.ts
    rm -rf "$BUILD_DIR"
    rm ~/notes.txt
    rm -rf ../other-project
    sudo rm /usr/local/bin/tool
    sudo cp build/app /usr/local/bin/
    cat /dev/null > app.db
    find . -name '*.log' -mtime +7 -delete
    sed -n 's/.*/id/e' f
    sed '/a/w out.txt' f
    sed 's/[]/]/x/;e id' f
    sed 's/[^]/]/x/;w out.txt' f
    sed 's/[[:alpha:]/]/x/;e id' f
    sed 's/[[.].]/]/x/;e id' f
    sed 's/[a]/]/;e id' f
    sed '/[]/]/e id' f
    sed 'y/[/]/;e id' f
    awk '{ print $1 | "sh" }' f
    awk '{ system($0) }' f
    chmod a+w config.yml
    chmod u+s ./tool
    tar xPf a.tar
    vim -c ':!id' x
    ln -s /tmp/keys ~/.ssh/authorized_keys`,
  )
  eachIsRated(
    'critical',
    `rm -rf ~/Documents
    rm -rf /usr/local
    sudo chmod -R 777 /
    sudo chmod u+s /bin/bash
    find /etc -name '*.conf' -exec sed -i 's/a/b/' {} +
    tar xf a.tar -C /
    awk 'BEGIN { printf "x" > "/etc/passwd" }'
    sed 'w /etc/cron.d/x' f`,
  )

  it('reports what is deleted, how much, and whether it can be undone', () => {
    expect(rateShell('rm -rf src docs')).toMatchObject({
      target: 'src',
      reversible: 'no',
      magnitude: { reach: 'several', count: 2 },
    })
    expect(rateShell('rm -rf node_modules')).toMatchObject({ target: 'node_modules', reversible: 'yes' })
    expect(rateShell('rm -rf ~').magnitude.reach).toBe('all')
    expect(rateShell('rm -rf ~').reasons[0]?.text).toBe('deletes everything in the home folder')
  })
})
