//! Users that are nobody's, one for each bot that runs: two bots of one user could stop, read and end each other. Only
//! root can hand them out.

use nix::fcntl::{Flock, FlockArg};
use nix::unistd::{Uid, User};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::ops::RangeInclusive;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The users that are taken when nobody says which.
pub const RANGE: RangeInclusive<u32> = 61000..=61999;

/// Where arenas of this machine keep what they share, root's alone.
pub const RUN: &str = "/run/arena";

/// A range of users that no person and no service has.
#[derive(Debug)]
pub struct Users {
    range: RangeInclusive<u32>,
    locks: PathBuf,
}

/// A user that this process holds: no other arena gives it to a bot.
#[derive(Debug)]
pub struct UserClaim {
    user: u32,
    /// The system lets go of it when this process dies.
    _lock: Flock<File>,
}

impl UserClaim {
    /// Its number, for user and group.
    pub fn user(&self) -> u32 {
        self.user
    }
}

impl Users {
    /// The users of a range; `None` where this process is not root's, and can make no process another user's.
    ///
    /// # Errors
    /// A user of the range belongs to somebody, or the place of the locks cannot be made.
    pub fn of(range: RangeInclusive<u32>) -> Result<Option<Users>, String> {
        if !Uid::effective().is_root() {
            return Ok(None);
        }
        if *range.start() == 0 {
            return Err("a bot is never root: `users` must begin above 0".to_string());
        }
        let (first, last) = (*range.start(), *range.end());
        // Of a thousand users one list is read; what other lists there are is asked for the one that is claimed.
        if let Some((user, owner)) = listed_users().find(|(user, _)| range.contains(user)) {
            return Err(format!("the users {first}-{last} are meant for bots, but {}", is_somebodys(user, &owner)));
        }
        let locks = Path::new(RUN).join("users");
        let made = DirBuilder::new().recursive(true).mode(0o755).create(&locks);
        made.map_err(|error| format!("{} cannot be made: {error}", locks.display()))?;
        Ok(Some(Users { range, locks }))
    }

    /// A user that no bot of any arena has now.
    pub fn claim(&self) -> Result<UserClaim, String> {
        for user in self.range.clone() {
            let path = self.locks.join(user.to_string());
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let file = file.map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
            if let Ok(lock) = Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                if let Ok(Some(owner)) = User::from_uid(Uid::from_raw(user)) {
                    return Err(format!("the user {user} is meant for a bot, but {}", is_somebodys(user, &owner.name)));
                }
                return Ok(UserClaim { user, _lock: lock });
            }
        }
        Err(format!(
            "all users from {} to {} are taken by bots that run: give the arena more, with `users` in [isolation]",
            self.range.start(),
            self.range.end()
        ))
    }
}

/// The users in the system's own list: number and name.
fn listed_users() -> impl Iterator<Item = (u32, String)> {
    let list = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let user = |line: &str| {
        let mut parts = line.split(':');
        Some((parts.nth(2)?.parse().ok()?, line.split(':').next()?.to_string()))
    };
    list.lines().filter_map(user).collect::<Vec<_>>().into_iter()
}

fn is_somebodys(user: u32, owner: &str) -> String {
    format!("{user} is {owner}'s: name others, like users = \"71000-71999\" in [isolation]")
}

/// Whether other users may reach and read this: every folder on the way may be entered by all, and the thing itself read.
pub fn reachable_by_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let open = |path: &Path, bits: u32| fs::metadata(path).is_ok_and(|about| about.permissions().mode() & bits == bits);
    let needed = if path.is_dir() { 0o5 } else { 0o4 };
    open(path, needed) && path.ancestors().skip(1).all(|folder| open(folder, 0o1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_that_is_somebodys_is_refused() {
        if Uid::effective().is_root() {
            assert!(Users::of(0..=10).unwrap_err().contains("above 0"));
            assert!(Users::of(1..=10).unwrap_err().contains("name others"));
        } else {
            assert!(Users::of(RANGE).unwrap().is_none());
        }
    }

    #[test]
    fn a_claimed_user_is_not_given_twice() {
        let Some(users) = Users::of(RANGE).unwrap() else { return };
        let (one, two) = (users.claim().unwrap(), users.claim().unwrap());
        assert_ne!(one.user(), two.user());
    }
}
