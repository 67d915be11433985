import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('repositories', () => {
  eachIsRated(
    'medium',
    `git status-all
    git show-everything
    git list
    kubectl get-all
    docker info-x
    helm list-all
    cargo tree-x
    git bisect run npm test`,
  )
  eachIsRated(
    'high',
    `git reset --har
    git reset --h
    git push --forc
    git push --fo
    git checkout --forc
    git branch --forc x
    git worktree remove --forc x
    docker compose down --vol
    rm --r src
    rsync --rem -a a/ b/
    curl --reque DELETE https://api.example.com/x/1`,
  )
  eachIsRated(
    'none',
    `git branch --list 'feature/*'
    git tag -l 'v1.*'
    git reflog -10
    git apply --check x.patch
    git symbolic-ref --short HEAD
    git push -n
    git clean -fdn
    git config get user.name
    git -c core.pager=cat -c color.ui=never log
    gh api -X GET search/issues -f q=x
    svn diff -r 10:12
    hg log -l 5`,
  )
  eachIsRated(
    'low',
    `git commit -n -m wip
    git branch -d merged
    git reset --soft HEAD~1
    git merge --abort
    git checkout -
    gh pr checkout 12
    jj new`,
  )
  eachIsRated(
    'medium',
    `git checkout HEAD -- package.json
    git restore src/a.ts
    git commit --amend --no-edit
    git push origin main
    git config --global user.name Dev
    git config --global core.editor vim
    git cherry-pick -x abc
    git tag -d v1
    gh issue comment 4 -b done
    svn update`,
  )
  eachIsRated(
    'high',
    `git push --forc
    git push -uf origin x
    git push origin :old
    git restore --staged --worktree .
    git switch --discard-changes main
    git branch --delete --force old
    git config core.hooksPath ./hooks
    git config --global alias.st '!id'
    git -c core.fsmonitor=./x status
    git fetch --upl=./x origin
    git grep --open-files-in-pager=./x foo
    git worktree remove -f ../wt
    gh pr merge 12
    gh api graphql -f query='mutation { x }'
    glab mr merge 3
    hg update --clean
    svn revert -R .
    jj abandon @`,
  )
  eachIsRated(
    'critical',
    `git gc --prune=all
    git reflog expire --expire=now --all
    gh repo delete o/r --yes
    gh api -X DELETE repos/o/r`,
  )

  it('names the pushed branch', () => {
    expect(rateShell('git push -f origin feature')).toMatchObject({ target: 'feature', reversible: 'partly' })
    expect(rateShell('git reset --hard')).toMatchObject({ reversible: 'no', magnitude: { reach: 'all' } })
  })
})
