extension Dataset {
    /// The dataset as a CKAN package.
    ///
    /// - Parameters:
    ///   - time: GMT: the portal writes dates without an offset.
    ///   - origin: what links begin with.
    /// - Returns: an object in the portal's member order.
    func json(time: WallTime, origin: String) -> JSON {
        let organization: JSON = [
            "id": "6ed95875-0000-4a11-8a4e-2f0a4d5c6b7a", "name": "city-of-toronto", "title": "City of Toronto",
        ]
        let tagObjects = tags.enumerated().map { position, tag -> JSON in
            [
                "id": .string(resourceID(20 + position)), "name": .string(tag), "display_name": .string(tag),
                "vocabulary_id": nil,
            ]
        }
        return [
            "id": .string(id), "name": .string(name), "title": .string(title), "notes": .string(notes),
            "excerpt": .string(String(notes.prefix(60))), "type": "dataset", "state": "active", "private": false,
            "isopen": false, "license_id": nil, "license_title": nil, "organization": organization,
            "owner_org": "6ed95875-0000-4a11-8a4e-2f0a4d5c6b7a", "owner_division": .string(division),
            "owner_section": nil, "owner_unit": nil, "owner_email": "opendata@city.example",
            "dataset_category": .string(category), "refresh_rate": .string(refreshRate),
            "formats": .strings(formats), "topics": .strings(topics), "civic_issues": .strings(civicIssues),
            "is_retired": false, "information_url": nil, "limitations": "", "image_url": nil,
            "last_refreshed": .string(time.naive(modified)), "metadata_created": .string(time.naive(created)),
            "metadata_modified": .string(time.naive(modified)), "num_resources": .int(formats.count),
            "num_tags": .int(tags.count), "groups": [], "tags": .array(tagObjects),
            "resources": .array(formats.indices.map { resource($0, time: time, origin: origin) }),
        ]
    }

    private func resource(_ position: Int, time: WallTime, origin: String) -> JSON {
        let id = resourceID(position)
        return [
            "id": .string(id), "package_id": .string(self.id), "name": .string(name),
            "format": .string(formats[position]), "url": .string("\(origin)/datastore/dump/\(id)"),
            "url_type": "datastore", "size": nil, "datastore_active": .bool(position == 0),
            "record_count": .int(recordCount), "is_preview": .bool(position == 0),
            "created": .string(time.naive(created)), "last_modified": nil, "mimetype": nil,
        ]
    }
}
